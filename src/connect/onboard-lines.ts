import { version } from '../version.ts';
import { hosts } from './host-table.ts';

/** The line that sets a host's own loop going, and where it is typed. */
export interface OnboardLine {
  readonly host: string;
  readonly line: string;
  /** A sentence: where it goes, and what ends it. */
  readonly where: string;
}

// Hosts pass what a loop repeats as plain text: a prompt's name in it is not looked up, so the turn itself is written out.
const turn =
  'Do one turn of governed work with LoopX: call quota_should_run {"claim": true} and do what its decision says; ' +
  'work on that one todo only, within its scope; ask with gate_ask what only the owner may decide; ' +
  'close the turn with one writeback.';

const untilStop = 'Between turns wait as next.checkInS says. It is over when the decision is stop or repair: say why.';

/** For hosts without a loop of their own, a heartbeat that asks for the model only when there is something to do. */
function heartbeat(start: string): string {
  const ask = `npx -y loopx-mcp@${version} quota should-run --json`;
  return `while sleep 60; do ${ask} | grep -qE '"decision":"(run|settle|replan)"' && ${start} '${turn}'; done`;
}

const lines: { readonly [host: string]: Omit<OnboardLine, 'host'> } = {
  'claude-code': {
    line: `/loop ${turn} ${untilStop}`,
    where: 'Type it in a session of Claude Code; it sets its own pace. Esc ends it.',
  },
  codex: {
    line: `/goal Turn after turn until LoopX says stop. ${turn} ${untilStop}`,
    where: 'Type it in a session of Codex; /goal pause and /goal clear end it.',
  },
  opencode: {
    line: heartbeat('opencode run'),
    where: 'Type it in a shell in the project; Ctrl-C ends it. OpenCode has no loop of its own.',
  },
  gemini: {
    line: heartbeat('gemini --yolo -p'),
    where:
      'Type it in a shell in the project; Ctrl-C ends it. Without --yolo a headless Gemini CLI offers no tools of servers; with it nothing is asked, so use it in a sandbox.',
  },
};

/** How to set a host of the table going. Hosts without a loop get one turn to paste. */
export function onboardLine(host: string): OnboardLine | undefined {
  const known = hosts.find(({ name }) => name === host);
  if (known === undefined) return undefined;
  const own = lines[host] ?? {
    line: turn,
    where: `Paste it as a message in ${known.title}, once for each turn: no loop of its own is known.`,
  };
  return { host, ...own };
}
