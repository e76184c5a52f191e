import type { SeenGate } from '../../prompts/seen.ts';
import type { Answer } from '../../state/answer.ts';
import type { ControlPlane } from '../../state/control-plane.ts';
import type { Gate } from '../../state/kernel/model.ts';
import type { CliCall } from '../cli-call.ts';

/** The gate whole, as anybody sees it, or the refusal. */
export function readGate(call: CliCall, plane: ControlPlane, gate: string): Promise<Answer> {
  return plane.query({ type: 'goal.status', view: 'gates', id: gate.trim().toUpperCase() }, call.observer);
}

/** The gate as the log has it: the consequences that answers show beside the options were not asked by anybody. */
export function asAsked(gate: SeenGate): Gate {
  const shown = gate as unknown as Gate;
  return { ...shown, options: shown.options.map(({ key, label, effect }) => ({ key, label, effect })) };
}
