import { hostSetups } from '../hosts/host-setups.ts';
import { type AnswerForm, DemoAgent } from './demo-agent.ts';
import { boardText } from './demo-board.ts';
import { personAtTerminal, standIn } from './demo-person.ts';
import { tellStory } from './demo-story.ts';
import { DemoWorkspace } from './demo-workspace.ts';

export interface DemoOptions {
  /** Whether the demo answers the questions itself, for where no person sits. */
  readonly isYes: boolean;
  /** Whether the throw-away project is left there. */
  readonly isKept: boolean;
  readonly print: (text: string) => void;
}

/** Two agents in two server processes, one log, one question for the person at this terminal. */
export async function runDemo({ isYes, isKept, print }: DemoOptions): Promise<void> {
  const workspace = new DemoWorkspace();
  const agents: DemoAgent[] = [];
  try {
    print('LoopX: two agents, one log between them, and a question that only you can answer.');
    print(`\n* A throw-away git project: ${workspace.folder}`);
    const answerForm: AnswerForm = isYes ? standIn(print) : personAtTerminal(print);
    for (const name of ['ann', 'bob'])
      agents.push(await DemoAgent.start(name, workspace.folder, workspace.env, answerForm));
    const [ann, bob] = agents as [DemoAgent, DemoAgent];
    print(`  Two MCP servers over stdio, as hosts start them: ann (pid ${ann.pid}), bob (pid ${bob.pid})`);
    await tellStory(ann, bob, workspace, print);
    print(`\n${await endState(ann)}`);
  } finally {
    await Promise.all(agents.map((agent) => agent.stop()));
    if (isKept) print(`\nThe project is left in ${workspace.folder}; look with: loopx status`);
    else workspace.remove();
  }
  print('\nThe same in your own host:');
  for (const { title, install } of hostSetups) print(`  ${title.padEnd(12)} ${install}`);
}

async function endState(agent: DemoAgent): Promise<string> {
  const status = await agent.call('goal_status', { goal: 'release' });
  const view = (name: string) => agent.call('goal_status', { goal: 'release', view: name });
  const [todos, gates, evidence] = await Promise.all([view('todos'), view('gates'), view('evidence')]);
  return boardText(status, { todos, gates, evidence } as Parameters<typeof boardText>[1]);
}
