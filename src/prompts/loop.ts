import type { Prompt } from './define-prompt.ts';
import { joined } from './given.ts';

export const loop: Prompt = {
  name: 'loop',
  title: 'One governed turn',
  description: "The body of one turn under LoopX, for the host's own loop or goal command.",
  does: 'text',
  arguments: [{ name: 'task', description: 'What to lean towards, if anything' }],
  text: (given) => {
    const task = joined(given.task);
    return `Do one turn of governed work.${task === '' ? '' : ` The owner leans towards: ${task}`}

1. Call quota_should_run {"claim": true} and do what its decision says:
   - run: work on the todo it answers, within its scope, and keep claim.token.
   - settle: call writeback for the claim it names, or release it, then ask again.
   - replan: add or change todos, then writeback with outcome "replan".
   - ask_human: show the owner notify.text word for word, if notify.owner is true, and end the turn.
   - wait: end the turn; come back after next.checkInS.
   - repair or stop: tell the owner why, and end the loop.
2. Work on that one todo. Before anything that a gate protects, or that only the owner may decide, call gate_ask.
3. Check the result, and close the turn with one writeback: outcome, summary, evidence (name the files and commands it rests on), todoState, successors for what you found, spend.
4. Say in two sentences what was done and what comes next.

Take only what quota_should_run gives. If a claim was lost, stop working on that todo at once.`;
  },
};
