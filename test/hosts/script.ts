/** What the scripted model says, turn by turn, whatever host is listening. */

/** Calls a tool of the MCP server `loopx`; each host's own spelling of the name is added by its wire. */
export type McpStep = { tool: string; args?: Record<string, unknown> };
/** Calls a tool of the host itself (Bash, Write, shell …); a string as input makes a free-form call in Codex. */
export type RawStep = { raw: { name: string; input: Record<string, unknown> | string } };
/** Says something and, since nothing is called, ends the turn. */
export type SayStep = { say: string };
export type Step = McpStep | RawStep | SayStep;
/** A step that is chosen when its turn comes, from what the model was sent. It may wait before it answers. */
export type ScriptStep = Step | ((seen: Seen) => Step | Promise<Step>);

export type Seen = {
  results: readonly ToolResult[];
  /** The JSON of the newest result; undefined before the first one or when it was not JSON. */
  last: JsonObject | undefined;
};

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers whose shape they assert.
export type JsonObject = Record<string, any>;

/** A tool's result as the model was sent it. */
export type ToolResult = {
  callId: string;
  /** The name as the script has it: `todo_claim`, `Bash`. */
  tool: string;
  text: string;
  /** The object found in the text, also inside a host's wrapping; undefined when there is none. */
  json: JsonObject | undefined;
  /** Whether the host marked it as an error; undefined where its protocol has no such mark. */
  isError: boolean | undefined;
};

/**
 * A result as one request body has it, before it is matched with the call it belongs to. A wire that knows better
 * than `findJson` where the object stands gives it as `json`.
 */
export type SentResult = { callId: string; text: string; isError?: boolean; json?: JsonObject };

export type Call = { callId: string; step: McpStep | RawStep };
export type Reply = { call: Call } | { text: string };

const closing = 'The script is over.';

/** Plays a script once; remembers which calls it made and which results came back. */
export class ScriptPlayer {
  readonly results: ToolResult[] = [];
  readonly #script: readonly ScriptStep[];
  readonly #names = new Map<string, string>();
  #position = 0;

  constructor(script: readonly ScriptStep[]) {
    this.#script = script;
  }

  /** How many steps were played; equal to the script's length when a run went all the way. */
  get played(): number {
    return this.#position;
  }

  /** Takes what a request carried and answers the next turn. */
  async next(sent: readonly SentResult[]): Promise<Reply> {
    this.#take(sent);
    const planned = this.#script[this.#position];
    if (planned === undefined) return { text: closing };
    this.#position += 1;
    const number = this.#position;
    const step = typeof planned === 'function' ? await planned(this.#seen()) : planned;
    if ('say' in step) return { text: step.say };
    const callId = `call_${String(number).padStart(4, '0')}`;
    this.#names.set(callId, 'tool' in step ? step.tool : step.raw.name);
    return { call: { callId, step } };
  }

  // Every request carries the whole conversation, so only results of calls not yet answered are new.
  #take(sent: readonly SentResult[]): void {
    for (const { callId, text, isError, json } of sent) {
      const tool = this.#names.get(callId);
      if (tool === undefined || this.results.some((known) => known.callId === callId)) continue;
      this.results.push({ callId, tool, text, json: json ?? findJson(text), isError });
    }
  }

  #seen(): Seen {
    return { results: this.results, last: this.results.at(-1)?.json };
  }
}

/** The object in a text: the text itself, or what stands between its first and last brace (hosts wrap results). */
function findJson(text: string): JsonObject | undefined {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  try {
    return JSON.parse(text.slice(start, end + 1)) as JsonObject;
  } catch {
    return undefined;
  }
}
