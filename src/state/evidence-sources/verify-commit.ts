import { execFile } from 'node:child_process';
import { problem, type SourceProblem } from './problem.ts';
import { sourceLimits } from './source-limits.ts';

export interface VerifiedCommit {
  /** The full name of the commit. */
  readonly commit: string;
}

/**
 * The full name of a commit that is in the repository at `root`. Runs git, so it is only for writing evidence, never
 * for reading it. Never throws, never waits longer than 5 s, never goes to the network.
 */
export function verifyCommit(
  root: string,
  sha: string,
  gitTimeMsMax: number = sourceLimits.gitTimeMsMax,
): Promise<VerifiedCommit | SourceProblem> {
  if (!/^[0-9a-f]{7,64}$/i.test(sha)) {
    const message = 'A commit is named by 7 to 64 hexadecimal digits, not by a branch or tag.';
    return Promise.resolve(problem('bad-path', sha.slice(0, 100), message));
  }
  const name = sha.toLowerCase();
  return new Promise((resolve) => {
    const child = execFile(
      'git',
      ['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`],
      {
        cwd: root,
        env: gitEnvironment(),
        timeout: gitTimeMsMax,
        killSignal: 'SIGKILL',
        maxBuffer: 64 * 1024,
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        const full = stdout.trim();
        if (error === null && /^[0-9a-f]{40,64}$/.test(full) && full.startsWith(name)) resolve({ commit: full });
        else resolve(problemOf(error, stderr, sha, gitTimeMsMax));
      },
    );
    child.stdin?.end();
  });
}

/** Set by git for its hooks: they would send our git to another repository than the workspace's. */
const redirecting = new Set(
  ['DIR', 'WORK_TREE', 'COMMON_DIR', 'INDEX_FILE', 'OBJECT_DIRECTORY', 'ALTERNATE_OBJECT_DIRECTORIES', 'NAMESPACE']
    .concat(['PREFIX', 'SHALLOW_FILE', 'GRAFT_FILE', 'REPLACE_REF_BASE', 'CEILING_DIRECTORIES'])
    .map((name) => `GIT_${name}`),
);

/** Our own environment without those, and with git told to ask nobody and to fetch nothing. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !redirecting.has(name.toUpperCase()));
  return {
    ...Object.fromEntries(own),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  };
}

type GitError = { readonly code?: string | number | null | undefined; readonly killed?: boolean | undefined };

function problemOf(error: GitError | null, stderr: string, sha: string, timeMsMax: number): SourceProblem {
  if (error?.killed) return problem('timed-out', sha, `git did not answer within ${timeMsMax / 1000} s.`);
  if (error?.code === 'ENOENT') return problem('no-git', sha, 'git cannot be run here, so no commit can be checked.');
  if (/ambiguous/.test(stderr)) return problem('unknown-commit', sha, 'Several objects begin so; give more digits.');
  if (/not a git repository/.test(stderr)) return problem('no-git', sha, 'The workspace is not a git repository.');
  if (/dubious ownership/.test(stderr))
    return problem('no-git', sha, 'git does not trust the repository: another user owns it.');
  return problem('unknown-commit', sha, 'There is no such commit in the repository of this workspace.');
}
