/** The moments of a host's life that LoopX has something to do at. */
export const hookEvents = ['SessionStart', 'PreToolUse', 'Stop', 'PreCompact', 'SessionEnd'] as const;
export type HookEvent = (typeof hookEvents)[number];

/** The dialects of hooks: Claude Code's, which Codex speaks too but for details, and Cursor's own. */
export type HookHost = 'claude-code' | 'codex' | 'cursor';

/** What a host said to its hook, as far as it is of use; everything but the event may be missing. */
export interface HookCall {
  readonly event: HookEvent;
  readonly host: HookHost;
  readonly session?: string | undefined;
  readonly cwd?: string | undefined;
  readonly tool?: string | undefined;
  readonly toolInput: { readonly [field: string]: unknown };
  /** SessionStart: startup, resume, clear or compact. */
  readonly source?: string | undefined;
  /** SessionEnd: clear, logout, other … */
  readonly reason?: string | undefined;
  /** Stop: whether the agent goes on only because a hook asked it to. */
  readonly isStopActive: boolean;
}

export function isHookEvent(text: string | undefined): text is HookEvent {
  return hookEvents.includes(text as HookEvent);
}

const idCharsMax = 200;
const inputCharsMax = 16 * 1024 * 1024;

/** Reads the host's words, or undefined where they are no call that can be understood. */
export function readHookCall(event: HookEvent, text: string, host?: HookHost): HookCall | undefined {
  const said = text.length > inputCharsMax ? undefined : parseObject(text);
  if (said === undefined) return undefined;
  const roots = Array.isArray(said.workspace_roots) ? said.workspace_roots : [];
  const isShell = said.hook_event_name === 'beforeShellExecution';
  return {
    event,
    host: host ?? hostOf(said),
    session: shortText(said.session_id) ?? shortText(said.conversation_id),
    cwd: text4k(said.cwd) ?? text4k(roots[0]),
    tool: isShell ? 'Bash' : shortText(said.tool_name),
    toolInput: isShell ? { command: said.command } : (asObject(said.tool_input) ?? parseObject(said.tool_input) ?? {}),
    source: shortText(said.source),
    reason: shortText(said.reason),
    isStopActive: said.stop_hook_active === true || (typeof said.loop_count === 'number' && said.loop_count > 0),
  };
}

/** Claude Code and Codex share one form; Codex names the model in every call, and Cursor its conversation. */
function hostOf(said: { readonly [field: string]: unknown }): HookHost {
  if (said.cursor_version !== undefined || said.conversation_id !== undefined) return 'cursor';
  return typeof said.model === 'string' && said.prompt_id === undefined && isCodexFile(said.transcript_path)
    ? 'codex'
    : 'claude-code';
}

function isCodexFile(path: unknown): boolean {
  return typeof path !== 'string' || /[\\/]rollout-[^\\/]*$/.test(path);
}

function parseObject(text: unknown): { readonly [field: string]: unknown } | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): { readonly [field: string]: unknown } | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as { readonly [field: string]: unknown }) : undefined;
}

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= idCharsMax ? value : undefined;
}

function text4k(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 4_096 ? value : undefined;
}
