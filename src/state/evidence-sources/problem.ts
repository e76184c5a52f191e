/**
 * Why something cannot be taken down as evidence. `private`: inside .git or .loopx, which is nobody's work result.
 */
export type ProblemKind =
  | 'bad-path'
  | 'outside'
  | 'private'
  | 'missing'
  | 'not-a-file'
  | 'too-large'
  | 'too-many'
  | 'unreadable'
  | 'timed-out'
  | 'no-git'
  | 'unknown-commit';

export interface SourceProblem {
  readonly problem: ProblemKind;
  /** The path, glob or commit as it was given. */
  readonly path: string;
  /** One sentence that says what is wrong, fit to be shown to an agent. */
  readonly message: string;
}

export function problem(kind: ProblemKind, path: string, message: string): SourceProblem {
  return { problem: kind, path, message };
}

export function isProblem(value: object): value is SourceProblem {
  return 'problem' in value;
}
