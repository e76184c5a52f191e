import type { NoticeAnswer } from './answer.ts';
import { expiresAt } from './kernel/claim-standing.ts';
import type { TurnDecision } from './kernel/decision.ts';
import { staleness } from './kernel/freshness.ts';
import type { Goal } from './kernel/model.ts';
import type { View } from './kernel/view.ts';
import { type AgentMemory, everyone } from './presence/agent-memory.ts';

const backOffS = [60, 120, 300, 900, 1_800, 3_600];
const coolDownMs = 30 * 60_000;

/** What was already said to whom, and how long each has been waiting: kept beside the log, since asking is a read. */
export class Told {
  readonly #memory: AgentMemory;

  constructor(memory: AgentMemory) {
    this.#memory = memory;
  }

  /** The notices this agent has not been given yet; each is given once. */
  take(view: View): readonly NoticeAnswer[] {
    const memory = this.#memory.get(view.agent);
    const kept = (view.state.notices.get(view.agent) ?? []).filter((notice) => notice.version > memory.toldVersion);
    const seen = this.#seenNow(view).filter(({ key }) => memory.notified[key] === undefined);
    if (kept.length + seen.length === 0) return [];
    this.#memory.update(view.agent, (old) => ({
      ...old,
      toldVersion: Math.max(old.toldVersion, view.state.version),
      notified: { ...old.notified, ...Object.fromEntries(seen.map(({ key }) => [key, { at: Date.now(), count: 1 }])) },
    }));
    return [...kept.map(({ version: _, ...notice }) => notice), ...seen.map(({ notice }) => notice)];
  }

  /** What no commit tells because it comes of time or of files: a claim about to run out, evidence gone stale. */
  #seenNow(view: View): readonly { readonly key: string; readonly notice: NoticeAnswer }[] {
    const found: { key: string; notice: NoticeAnswer }[] = [];
    for (const id of view.state.index.active.keys()) {
      const todo = view.state.todos.get(id);
      if (!todo?.claim || todo.claim.holder !== view.agent) continue;
      const leftS = Math.round((expiresAt(view, todo.claim) - view.at) / 1_000);
      if (leftS < todo.claim.ttlS / 5) {
        const text = `Your claim on ${id} ${leftS > 0 ? `runs out in ${leftS} s` : 'has run out'}; any write of yours renews it.`;
        found.push({
          key: `expiring:${id}:${todo.claim.token}:${todo.claim.renewedAt}`,
          notice: { code: 'claim-expiring', todo: id, text },
        });
      }
      for (const evidence of todo.evidence) {
        const record = view.state.evidence.get(evidence);
        const isLooked =
          record?.files.every((file) => file.path in view.seen.files) &&
          record.globs.every((glob) => glob.glob in view.seen.globs);
        const why =
          record?.result === 'pass' && isLooked && record.supersededBy === undefined
            ? staleness(view, record)
            : undefined;
        if (why !== undefined)
          found.push({
            key: `stale:${evidence}`,
            notice: { code: 'evidence-stale', todo: id, text: `${evidence} is stale: ${why}.` },
          });
      }
    }
    return found;
  }

  /** Seconds until asking again is of use: longer each time while nothing changes on the goal. */
  backOff(view: View, goal: Goal, decided: TurnDecision): number {
    if (decided.decision !== 'wait' && decided.decision !== 'ask_human') return 0;
    let step = 0;
    this.#memory.update(view.agent, (old) => {
      const before = old.backoff[goal.goal];
      step = before && before.sinceVersion >= goal.version ? Math.min(before.step + 1, backOffS.length - 1) : 0;
      return { ...old, backoff: { ...old.backoff, [goal.goal]: { step, sinceVersion: goal.version, at: Date.now() } } };
    });
    const waitS = backOffS[step] as number;
    if (decided.until === undefined) return waitS;
    const untilS = Math.max(1, Math.ceil((decided.until - view.at) / 1_000));
    return decided.code === 'quota-exhausted' ? Math.min(untilS, 3_600) : Math.min(waitS, untilS);
  }

  /** Whether the owner should be told of this gate now: once for the whole workspace, then ever more seldom. */
  shouldNotify(decided: TurnDecision): boolean {
    const gate = decided.decision === 'ask_human' ? decided.gate : undefined;
    if (!gate) return false;
    const key = `${gate.gate}.${gate.revision}`;
    const now = Date.now();
    let isDue = false;
    this.#memory.update(everyone, (old) => {
      const before = old.notified[key];
      isDue = !before || now >= before.at + coolDownMs * 2 ** (before.count - 1);
      return isDue
        ? { ...old, notified: { ...old.notified, [key]: { at: now, count: (before?.count ?? 0) + 1 } } }
        : old;
    });
    return isDue;
  }
}
