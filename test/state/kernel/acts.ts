import type {
  Act,
  EvidenceInput,
  GateAsk,
  HandoffOffer,
  TodoUpdate,
  Writeback,
} from '../../../src/state/kernel/commands.ts';

/** The acts that most tests are made of, so that a test shows only what it is about. */
type Of<T extends Act['type']> = Extract<Act, { type: T }>;

export const claim = (todo?: string, more: Partial<Of<'todo.claim'>> = {}): Of<'todo.claim'> => ({
  type: 'todo.claim',
  todo,
  ...more,
});

export const challenge = (todo: string): Of<'todo.claim'> => claim(todo, { challenge: true });

export const update = (todo: string, more: Omit<TodoUpdate, 'todo'>): Of<'todo.update'> => ({
  type: 'todo.update',
  todo,
  ...more,
});

export const note = (todo: string, token?: number): Of<'todo.update'> => update(todo, { note: 'seen', token });

export const join = (more: Partial<Of<'agent.join'>> = {}): Of<'agent.join'> => ({ type: 'agent.join', ...more });

export const add = (...todos: readonly (string | Of<'todo.add'>['todos'][number])[]): Of<'todo.add'> => ({
  type: 'todo.add',
  todos: todos.map((todo) => (typeof todo === 'string' ? { title: todo } : todo)),
});

export const passing = (more: Partial<EvidenceInput> = {}): EvidenceInput => ({
  kind: 'test',
  summary: 'it holds',
  result: 'pass',
  ...more,
});

export const evidence = (todo: string | undefined, more: Partial<Of<'evidence.write'>> = {}): Of<'evidence.write'> => ({
  type: 'evidence.write',
  todo,
  ...passing(),
  ...more,
});

export const ask = (more: Partial<GateAsk> = {}): Of<'gate.ask'> => ({
  type: 'gate.ask',
  question: 'Ship it?',
  ...more,
});

export const answer = (gate: string, option = 'yes', words?: string): Of<'gate.answer'> => ({
  type: 'gate.answer',
  gate,
  option,
  ...(words !== undefined && { words }),
});

export const writeback = (todo: string | undefined, more: Partial<Writeback> = {}): Of<'writeback'> => ({
  type: 'writeback',
  todo,
  outcome: 'progress',
  summary: 'went on',
  ...more,
});

/** A todo that is finished by one writeback with one passing test. */
export const finish = (todo: string, more: Partial<EvidenceInput> = {}): Of<'writeback'> =>
  writeback(todo, { outcome: 'primary', todoState: 'done', evidence: [passing(more)] });

export const handoff = (todo: string, to: HandoffOffer['to'], more: Partial<HandoffOffer> = {}): Of<'handoff'> => ({
  type: 'handoff',
  todo,
  to,
  summary: 'yours now',
  ...more,
});

export const reserve = (resources: readonly string[], more: Partial<Of<'reserve'>> = {}): Of<'reserve'> => ({
  type: 'reserve',
  resources,
  ...more,
});

export const spend = (more: Partial<Of<'quota.spend'>> = {}): Of<'quota.spend'> => ({ type: 'quota.spend', ...more });

export const report = (
  todo: string,
  changed: boolean,
  more: Partial<Of<'monitor.report'>> = {},
): Of<'monitor.report'> => ({
  type: 'monitor.report',
  todo,
  changed,
  ...(changed && { observation: 'it differs' }),
  ...more,
});
