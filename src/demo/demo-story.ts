import type { DemoAgent, Fields } from './demo-agent.ts';
import type { DemoWorkspace } from './demo-workspace.ts';

type Print = (text: string) => void;

interface Decision {
  readonly decision: string;
  readonly code: string;
  readonly why: string;
  readonly todo?: { readonly todo: string };
  readonly claim?: { readonly token: number };
  readonly notify?: { readonly owner: boolean; readonly text?: string };
}

/** What the two agents and the person go through, a line or two a step; every call is real. */
export async function tellStory(ann: DemoAgent, bob: DemoAgent, workspace: DemoWorkspace, print: Print): Promise<void> {
  const step = (text: string) => print(`\n* ${text}`);
  step('ann starts the goal: an objective, two criteria, two todos. From now on only you can change it.');
  await done(ann, 'goal_start', goal);

  step('bob will not publish unasked: he asks a gate. It holds T2, and no tool can answer it.');
  await done(bob, 'gate_ask', gate);

  step('ann asks what to do. T2 matters more, but the gate holds it: she gets T1, which has nothing to do with it.');
  const first = await ask(ann, print);

  step('bob asks too. Nothing is left for him but your answer.');
  await ask(bob, print);

  step('You answer, in the form that the slash command answer_gate shows in your host:');
  const told = await bob.prompt('answer_gate', { gate: 'G1' });
  print(`  bob is told: ${told.split('\n')[0]}`);

  step('ann writes the notes and closes her turn: evidence rests on the file, whose SHA-256 the server takes itself.');
  workspace.write('NOTES.md', '# 1.0\n\nThe demo project says what it is.\n');
  await writeBack(ann, 'T1', first, evidence('NOTES.md says what is new', ['NOTES.md'], 'A1'), print);

  step('bob asks again.');
  const second = await ask(bob, print);
  if (second.todo?.todo !== 'T2') {
    print('  Without your yes T2 is not done, whatever the agents try. Here is where it stands:');
    return;
  }
  step('bob does half of it and hands the rest over to ann, with what he knows.');
  workspace.write('release.json', '{ "version": "1.0.0", "published": false }\n');
  await done(bob, 'handoff', { ...handoff, token: second.claim?.token });

  step('ann asks: the handoff comes first.');
  const third = await ask(ann, print);
  workspace.write('release.json', '{ "version": "1.0.0", "published": true }\n');
  const commit = workspace.commit('Release 1.0');
  const published = { ...evidence('release.json says 1.0.0, published', ['release.json'], 'A2'), commit };
  await writeBack(ann, 'T2', third, published, print);

  step('All criteria are met, so the control plane itself asks you whether the goal is done:');
  const last = await ann.prompt('answer_gate', { gate: 'G2' });
  print(`  ann is told: ${last.split('\n')[0]}`);

  step('ann asks once more.');
  await ask(ann, print);
}

const goal = {
  goal: 'release',
  title: 'Release 1.0',
  objective: 'Release version 1.0 of the demo project',
  acceptance: ['NOTES.md says what is new', 'release.json names the version'],
  todos: [
    { title: 'Write the release notes', covers: ['A1'], scope: { paths: ['NOTES.md'] } },
    { title: 'Publish version 1.0', priority: 'P1', covers: ['A2'], scope: { paths: ['release.json'] } },
  ],
};

const gate = {
  question: 'Publish version 1.0 now?',
  kind: 'approval',
  options: [
    { key: 'yes', label: 'Publish it', effect: 'approve' },
    { key: 'no', label: 'Not yet', effect: 'deny' },
  ],
  blocks: { todos: ['T2'] },
  context: 'Nothing was published before.',
};

const handoff = {
  todo: 'T2',
  to: { agent: 'ann' },
  summary: 'release.json is prepared; it only has to be published.',
  done: ['release.json with the version'],
  pending: ['set published to true', 'commit'],
};

function evidence(summary: string, files: readonly string[], criterion: string) {
  return { kind: 'artifact', result: 'pass', summary, files, criteria: [criterion] };
}

/** A call that the story cannot go on without. */
async function done(agent: DemoAgent, tool: string, args: Fields): Promise<Fields> {
  const answer = await agent.call(tool, args);
  if (answer.ok !== true) throw new Error(`${tool} of ${agent.name} was refused: ${answer.message} [${answer.code}]`);
  return answer;
}

async function ask(agent: DemoAgent, print: Print): Promise<Decision> {
  const decision = (await done(agent, 'quota_should_run', { claim: true })) as unknown as Decision;
  print(`  quota_should_run -> ${decision.decision} (${decision.code}): ${decision.why}`);
  if (decision.claim) print(`  claimed ${decision.todo?.todo} with token ${decision.claim.token}`);
  if (decision.notify?.owner) print(`  to you: ${decision.notify.text}`);
  return decision;
}

async function writeBack(agent: DemoAgent, todo: string, turn: Decision, proof: Fields, print: Print): Promise<void> {
  const answer = await done(agent, 'writeback', {
    todo,
    token: turn.claim?.token,
    outcome: 'primary',
    summary: String(proof.summary),
    evidence: [proof],
    todoState: 'done',
    spend: { slots: 1 },
  });
  const [kept] = answer.evidence as readonly {
    evidence: string;
    grade: string;
    files: readonly { path: string; sha256: string }[];
  }[];
  const { slots } = answer.budget as { slots: { spent: number; allowed: number } };
  const file = kept?.files[0];
  print(
    `  writeback -> ${todo} done; ${kept?.evidence} is ${kept?.grade}: ${file?.path} ${file?.sha256.slice(0, 12)}…`,
  );
  print(`  1 slot spent for the validated turn: ${slots.spent} of ${slots.allowed}`);
}
