import { describe, expect, it } from 'vitest';
import { simpleCommands } from '../../src/hooks/shell-line.ts';
import { writtenFiles } from '../../src/hooks/shell-writes.ts';

const commands = (line: string) => simpleCommands(line).map(({ words }) => words.join(' '));
const written = (line: string) => simpleCommands(line).flatMap(writtenFiles);

describe('The simple commands of a shell line', () => {
  it.each([
    ['npm publish', ['npm publish']],
    ['cd app && npm   publish --tag next; ls', ['cd app', 'npm publish --tag next', 'ls']],
    ['a | b || c & d\ne', ['a', 'b', 'c', 'd', 'e']],
    ['(npm publish)', ['npm publish']],
    ['{ npm publish; }', ['npm publish']],
    ['if true; then npm publish; fi', ['true', 'npm publish', 'fi']],
    ['TOKEN=1 sudo -E env A=2 /usr/bin/npm publish', ['npm publish']],
    ['echo "npm publish"', ['echo npm publish']],
    ["echo 'a; npm publish'", ['echo a; npm publish']],
    ['echo $(npm publish)', ['echo ', 'npm publish']],
    ['echo "`npm publish`"', ['echo ', 'npm publish']],
    ['bash -lc "cd x && npm publish"', ['bash -lc cd x && npm publish', 'cd x', 'npm publish']],
    ['eval "npm publish"', ['eval npm publish', 'npm publish']],
    ['find . -name x | xargs -n 1 rm', ['find . -name x', 'rm']],
    ['npm \\\n publish', ['npm publish']],
    ['ls # npm publish', ['ls']],
    ['cat <<EOF\nnpm publish\nEOF\nls', ['cat', 'ls']],
    ['cat <<EOF > out && npm publish\ntext\nEOF', ['cat', 'npm publish', 'text', 'EOF']],
    ['cp a{1,2} {b}', ['cp a{1,2} {b}']],
    ['sudo -u root npm publish', ['npm publish']],
    ['', []],
    ['"unclosed', ['unclosed']],
  ])('of %j are %j', (line, expected) => {
    expect(commands(line)).toEqual(expected);
  });

  it('ends on any text, however deep or long', () => {
    for (const line of ['$('.repeat(5_000), '('.repeat(30_000), 'bash -c "'.repeat(100), '<<'.repeat(10_000), "'\\"])
      expect(simpleCommands(line).length).toBeGreaterThanOrEqual(0);
  });
});

describe('The files that a shell line is plainly seen to write', () => {
  it.each([
    ['echo on > deploy/flag', ['deploy/flag']],
    ['echo on >>deploy/flag 2>&1', ['deploy/flag']],
    ['make &> log.txt', ['log.txt']],
    ['make > /dev/null', []],
    ['echo "a > b"', []],
    ['cat deploy/flag', []],
    ['rm -rf deploy', ['deploy']],
    ['cp -r a b deploy', ['deploy']],
    ['mv a deploy/', ['a', 'deploy/']],
    ['sed -i s/a/b/ deploy/x', ['s/a/b/', 'deploy/x']],
    ['sed s/a/b/ deploy/x', []],
    ['git checkout -- deploy/x', ['deploy/x']],
    ['git status deploy', []],
    ['dd if=a of=deploy/x', ['deploy/x']],
    ['ls | tee deploy/x', ['deploy/x']],
  ])('by %j are %j', (line, expected) => {
    expect(written(line)).toEqual(expected);
  });
});
