import type { Answer } from '../../state/answer.ts';
import type { ControlPlane } from '../../state/control-plane.ts';
import type { CliCall } from '../cli-call.ts';

/** The gate whole, as anybody sees it, or the refusal. */
export function readGate(call: CliCall, plane: ControlPlane, gate: string): Promise<Answer> {
  return plane.query({ type: 'goal.status', view: 'gates', id: gate.trim().toUpperCase() }, call.observer);
}
