import { tools } from '../tools/registry.ts';

/** How to run a governed turn, in the form of Agent Skills. */
export function skillText(): string {
  return `---
name: loopx-governed-turn
description: Run one governed turn of long work under LoopX, and hand it over cleanly. Use at the start of every turn when the loopx tools are there and a goal is set, when asked to go on with long-running or shared work, before touching anything a gate protects, and before ending a turn.
license: MIT
compatibility: Needs the MCP server loopx (npx -y loopx-mcp) with its tools ${toolNames(['quota_should_run', 'writeback', 'gate_ask'])}.
---

# One governed turn

1. Ask: \`quota_should_run {"claim": true}\`. Do what \`decision\` says and nothing else:
   - \`run\`: work on the todo it names; keep \`claim.token\`.
   - \`settle\`: an earlier session left a claim of yours; write back about it or release it, then ask again.
   - \`replan\`: add or change todos with \`todo_add\` or \`todo_update\`, then \`writeback\` with outcome \`replan\`.
   - \`ask_human\`: show the owner \`notify.text\` word for word if \`notify.owner\` is true, and end the turn.
   - \`wait\`: end the turn; come back after \`next.checkInS\`.
   - \`repair\`, \`stop\`: tell the owner why, and end the loop.
2. Work on that one todo, within its scope. A file outside it: widen the scope with \`todo_update\`, or add a todo.
3. Before anything that a gate protects or only the owner may decide: \`gate_ask\` with one exact question. Nobody but the
   owner opens a gate. Go on with work that it does not hold.
4. Check the result yourself. Then close the turn with one \`writeback\`: \`outcome\`, \`summary\`, \`evidence\` (name the files and
   commands it rests on), \`todoState\`, \`successors\` for what you found, \`spend\`.
5. Say in two sentences what was done and what comes next.

## When a tool is denied

The hooks of LoopX deny a write outside the scope of what you hold, and what a gate or the goal's denyPaths protect. The
denial names the gate and how the owner answers. Do not reach the same end by another tool, script or path: show the owner
the question, and take other work.

## When a claim is lost

\`claim-lost\` says who holds the todo now. Stop working on it at once, leave its files alone, and ask \`quota_should_run\`.

## When the context is fresh

Everything is in the store: \`goal_status\` shows it, \`quota_should_run\` gives the packet to go on from. Nothing needs to be
remembered but the name you joined with.
`;
}

/** Names in backticks, each of a tool that exists. */
function toolNames(names: readonly string[]): string {
  const known = tools.map((tool) => tool.name as string);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined) throw new Error(`The skill names a tool that there is not: ${missing}`);
  return names.join(', ');
}
