import { fitted } from '../state/views/shape.ts';
import { type HookSaid, nothing } from './hook-output.ts';
import { callerOf, type HookContext, type SessionStands, sessionStands } from './hook-session.ts';

/** With the sentences around it, the whole stays under 8,000 bytes. */
const packetBytesMax = 6_500;

/** What a fresh context needs to go on: the decision of quota_should_run with its packet, and the open gates. */
export async function onSessionStart(context: HookContext): Promise<HookSaid> {
  const stands = await sessionStands(context);
  if (stands === undefined || stands.goals.length === 0) return nothing;
  const goal = goalOf(stands);
  return { kind: 'context', text: goal === undefined ? severalGoals(stands) : await oneGoal(context, stands, goal) };
}

function goalOf({ goals, claims }: SessionStands): string | undefined {
  const held = new Set(claims.map((claim) => claim.goal));
  if (held.size === 1) return [...held][0];
  return goals.length === 1 ? goals[0] : undefined;
}

async function oneGoal(context: HookContext, stands: SessionStands, goal: string): Promise<string> {
  const { env, plane } = context;
  const agent = stands.agents.length > 1 ? stands.agents[0] : undefined;
  const answer = await plane.query({ type: 'quota.should-run', goal, isLook: true }, callerOf(context, agent));
  if (!answer.ok) return severalGoals(stands);
  const { ok: _, you, asOf: __, next: ___, ...packet } = answer;
  const isKnown = stands.agents.length > 0 || Boolean(env.LOOPX_AGENT);
  const shown = fitted({ ...(isKnown && { you }), ...packet }, packetBytesMax);
  return `${opening(stands)}
Goal ${goal}: quota_should_run would say now:
${JSON.stringify(shown)}
${howToGoOn}`;
}

const howToGoOn =
  'To go on, call quota_should_run {"claim": true} (this was only a look; nothing was claimed), do what its decision says, and close the turn with one writeback. Gates are answered by the owner alone.';

function opening({ claims }: SessionStands): string {
  if (claims.length === 0) return 'LoopX keeps goals, claims and gates in this workspace.';
  const held = claims
    .slice(0, 5)
    .map(({ todo, token, holder }) => `${todo} (token ${token}, as ${holder})`)
    .join(', ');
  return `LoopX keeps goals, claims and gates in this workspace. This session holds ${held}.`;
}

function severalGoals(stands: SessionStands): string {
  const gates = stands.gates.map(({ gate, question, answerWith }) => ({ gate, question, answerWith }));
  const shown = fitted({ goals: stands.goals, gates }, packetBytesMax);
  return `${opening(stands)}
${JSON.stringify(shown)}
Several goals are live: name one in the argument goal. ${howToGoOn}`;
}
