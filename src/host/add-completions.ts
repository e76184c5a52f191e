import { promptNamed } from '../prompts/registry.ts';
import { resources } from '../resources/registry.ts';
import type { Caller } from '../state/answer.ts';
import type { ControlPlane } from '../state/control-plane.ts';
import { type Connection, visitOf } from './connection.ts';

const valuesMax = 100;

type Completer = (plane: ControlPlane, caller: Caller) => Promise<readonly string[]>;

/** Completes the arguments of prompts and the ids in resource templates; without a workspace there is nothing to offer. */
export function addCompletions(connection: Connection): void {
  const { server } = connection.mcp;
  server.registerCapabilities({ completions: {} });
  server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { ref, argument, context: filledIn } = params;
    const complete =
      ref.type === 'ref/prompt'
        ? promptCompleter(ref.name, argument.name, filledIn?.arguments ?? {})
        : resources.find(({ uri }) => uri === ref.uri)?.complete;
    const values = complete === undefined ? [] : await valuesOf(complete, visitOf(connection, context));
    const begun = argument.value.trim().toLowerCase();
    const fitting = [...new Set(values)].filter((value) => value.toLowerCase().startsWith(begun));
    const hasMore = fitting.length > valuesMax;
    return { completion: { values: fitting.slice(0, valuesMax), total: fitting.length, hasMore } };
  });
}

function promptCompleter(name: string, argument: string, given: { [name: string]: string }): Completer | undefined {
  const complete = promptNamed(name)?.arguments.find((one) => one.name === argument)?.complete;
  return complete && ((plane, caller) => complete(plane, caller, given));
}

async function valuesOf(
  complete: Completer,
  { open, observer }: ReturnType<typeof visitOf>,
): Promise<readonly string[]> {
  try {
    const opened = await open();
    return 'refusal' in opened ? [] : await complete(opened.plane, observer);
  } catch {
    // A host completes while somebody types: no offer is better than an error there.
    return [];
  }
}
