import { existsSync, mkdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { Place } from '../cli/loopx.ts';

const place = new Place();
afterAll(() => place.remove());

const frames = (name: string) =>
  [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name, arguments: { objective: 'Say where' } } },
  ]
    .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    .join('');

function answers(stdout: string) {
  const messages = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return new Map(messages.map((message) => [message.id, message.result ?? message.error]));
}

describe('the command on a pipe', () => {
  it.each([[[]], [['serve']]])('serves with %j, and answers what was sent before stdin closed [R2]', (args) => {
    const { code, stdout } = place.run(args, { input: frames('goal_start') });
    expect(code).toBe(0);
    const answered = answers(stdout);
    expect(answered.get(1).serverInfo.name).toBe('loopx');
    expect(answered.get(2).structuredContent).toMatchObject({ ok: true });
  });

  it.each([
    [['--workspace', 'first'], 'first'],
    [['--workspace=second'], 'second'],
    [['serve', '--workspace', 'third'], 'third'],
  ])('serves the folder it is told with %j [R9]', (args, folder) => {
    mkdirSync(`${place.home}/${folder}`);
    const { stdout } = place.run(args, { cwd: place.home, input: frames('goal_start') });
    expect(answers(stdout).get(2).structuredContent.ok).toBe(true);
    expect(existsSync(`${place.home}/${folder}/.loopx`)).toBe(true);
    expect(existsSync(`${place.home}/.loopx`)).toBe(false);
  });

  it('refuses to serve with arguments it does not know, and says nothing on stdout [R1]', () => {
    const { code, stdout, stderr } = place.run(['serve', '--port', '80']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/--workspace FOLDER/);
  });

  it('refuses a workspace that a person named and that is not there, by what was tried [R9]', () => {
    const { stdout } = place.run(['serve', '--workspace', `${place.home}/nowhere`], { input: frames('goal_start') });
    expect(answers(stdout).get(2).structuredContent).toMatchObject({
      code: 'no-workspace',
      details: { tried: [{ source: '--workspace', why: 'there is no such folder' }] },
    });
  });
});
