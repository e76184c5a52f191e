import type { HostSetup } from '../hosts/host-setups.ts';

/** What is particular to a host, in its README; "measured" and "documented" say how it is known. */
export interface HostNotes {
  readonly setup: readonly string[];
  readonly answering: readonly string[];
  readonly enforced: readonly string[];
}

export const hostNotes: { readonly [host in HostSetup['host']]: HostNotes } = {
  'claude-code': {
    setup: [
      'Claude Code asks once whether this project may start the server; `claude -p` starts it without asking.',
      'With hooks that enforce: `npm i -g loopx-mcp`, then `claude plugin marketplace add "$(npm root -g)/loopx-mcp"` and `claude plugin install loopx@loopx`. The plugin brings the server along; leave out the line above, and read `mcp__plugin_loopx_loopx__` for `mcp__loopx__` below.',
      'On Windows `npx` is no program: use `"command": "cmd", "args": ["/c", "npx", …]`.',
      '`alwaysLoad` has the tools in front of the model from the first turn; without it they wait behind a tool search.',
      'Reading tools can be let through without a question: add them to `permissions.allow` of `.claude/settings.json` by the names in the table below.',
    ],
    answering: [
      'Type `/mcp__loopx__answer_gate G1` (shown as `/loopx:answer_gate`): a form comes up with the question, and what you choose there is your answer, grade `confirmed`.',
      'In a headless run (`claude -p`, the SDK) nobody can answer: forms come back cancelled, the gate stays open, and the answer is given in a terminal.',
    ],
    enforced: [
      "Enforced by the hooks of the [plugin](plugin) (measured): Write, Edit, MultiEdit and NotebookEdit are denied outside the scope of what the session holds, in the goal's denyPaths and on what a gate protects; Bash on commands a gate protects and on files it is plainly seen to write. The session starts with the resume packet; a missing writeback is asked for once.",
      'Without the plugin all of that is advice. With it the shell is still a tripwire: what a variable, a script or another language writes is not seen, and tools of other MCP servers are not looked at. See docs/hooks.md.',
    ],
  },
  codex: {
    setup: [
      'With hooks that enforce: `npm i -g loopx-mcp`, then `codex plugin marketplace add "$(npm root -g)/loopx-mcp"` and `codex plugin add loopx@loopx`, which brings the server along; or copy [hooks.json](hooks.json) to .codex/hooks.json. Either way Codex asks you to review the hooks before it runs them.',
      'Codex gives servers HOME, PATH and TERM only. To pass a name on, add `env = { LOOPX_AGENT = "reviewer" }` to the table.',
      "Newer models see the tools behind a tool search; the first lines of the server's instructions tell them to look.",
    ],
    answering: [
      'Codex shows no slash commands of MCP servers (measured). A gate is answered in a terminal, `loopx gate answer G1 yes`, or in the form that `gate_ask` shows at once with `askNow` in the interactive Codex.',
      '`codex exec` and full-access runs decline forms by themselves; what they send back never counts as an answer.',
    ],
    enforced: [
      'Enforced once you trust the hooks of [hooks.json](hooks.json), copied to .codex/hooks.json, or of the [plugin](../claude-code/plugin), which Codex loads too (measured): `apply_patch` is denied outside the scope of what the session holds, in denyPaths and on what a gate protects; commands as in Claude Code.',
      'Codex runs no hook that you did not review (`/hooks`); until then, and for the rest of what a shell can do, it is advice. Its sandbox limits where commands write, but knows nothing of todos and gates.',
    ],
  },
  cursor: {
    setup: [
      'For hooks: `npm i -g loopx-mcp`, and copy [hooks.json](hooks.json) to .cursor/hooks.json.',
      'Cursor starts the server in a folder of its own choosing and names the project by MCP roots (documented). If `goal_status` names another workspace, set `"env": { "LOOPX_WORKSPACE": "/path/to/project" }`.',
      'After a change of the file switch the server off and on in Settings > MCP.',
    ],
    answering: [
      'Cursor documents slash commands and forms of MCP servers; both are used where Cursor offers them. Otherwise: `loopx gate answer G1 yes` in a terminal of your own.',
      'Cursor was not measured by us; what this page says of it is from its documentation.',
    ],
    enforced: [
      'Meant to be enforced by [hooks.json](hooks.json), copied to .cursor/hooks.json: shell commands and file tools are denied as in Claude Code. This is written from documentation and was not run in Cursor; take it for advice until you have seen it deny.',
      'Cursor does not tell a server which conversation it serves, so there the scope is that of everything which Cursor sessions hold in this workspace, and nothing is given back when a conversation ends: leases run out by themselves.',
    ],
  },
};
