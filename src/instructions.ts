/**
 * What a host shows the model of this server. The first 250 characters stand alone: one host shows no more of them
 * while the tools are deferred.
 */
export const instructions = `LoopX keeps goals, todos, claims, gates, evidence and quota for coding agents that work for hours or days, several at once. Use it at the start of every turn (quota_should_run), before touching shared work (todo_claim) and at the end (writeback).

A turn: quota_should_run {claim: true} tells what to do and why. run: work on the todo it names and keep claim.token. wait: come back after next.checkInS. ask_human: show the owner notify.text. settle: write back about the claim it names. replan: add or change todos, then writeback with outcome replan. stop: the goal is over.
Close each turn with writeback: outcome, summary, evidence (name the files, so that the server can hash them), the todo's new state, successors. done needs fresh passing evidence for every criterion.

Only the human owner opens a gate, and no tool answers one. Ask with gate_ask, tell the owner how to answer, and go on with work that the gate does not hold. Never work around a gate.
A fresh context starts with goal_status or quota_should_run: one call has all it needs. Without a goal use goal_start.

Every answer has ok and version; a refusal has code, message, details and next (calls that help). Writes take idempotencyKey: repeat a call whose answer was lost with the same key. goal is needed only when several are active; agent only when several agents share this connection.
`;
