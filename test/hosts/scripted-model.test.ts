import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject, ScriptStep } from './script.ts';
import { ScriptedModel } from './scripted-model.ts';

const tools = [{ name: 'Bash' }];

describe('The scripted model', () => {
  let model: ScriptedModel | undefined;

  afterEach(async () => {
    await model?.stop();
    model = undefined;
  });

  const started = async (script: ScriptStep[]) => {
    model = await ScriptedModel.start(script);
    return model;
  };

  const ask = async (body: JsonObject): Promise<JsonObject> => {
    const response = await fetch(`${model!.url}/v1/messages`, { method: 'POST', body: JSON.stringify(body) });
    return (await response.json()) as JsonObject;
  };

  it('plays no step for requests without tools, such as titles', async () => {
    const { requests } = await started([{ say: 'Step one.' }]);
    expect((await ask({ messages: [] })).content[0].text).not.toBe('Step one.');
    expect((await ask({ tools, messages: [] })).content[0].text).toBe('Step one.');
    expect(requests.map(({ isTurn }) => isTurn)).toEqual([false, true]);
  });

  it('takes each result once, though every request repeats the conversation', async () => {
    const { results } = await started([{ tool: 'todo_claim' }, { tool: 'goal_status' }, { say: 'Done.' }]);
    const call = (await ask({ tools, messages: [] })).content[0];
    expect(call).toMatchObject({ type: 'tool_use', name: 'mcp__loopx__todo_claim' });
    const result = { type: 'tool_result', tool_use_id: call.id, content: '{"ok":true}' };
    const messages = [{ role: 'user', content: [result] }];
    await ask({ tools, messages });
    await ask({ tools, messages });
    expect(results).toEqual([
      { callId: call.id, tool: 'todo_claim', text: '{"ok":true}', json: { ok: true }, isError: false },
    ]);
  });

  it('ends the turn when a step throws, and keeps what it threw', async () => {
    const thrown = new Error('No token came back.');
    const { failures } = await started([
      () => {
        throw thrown;
      },
      { say: 'Never said.' },
    ]);
    expect((await ask({ tools, messages: [] })).content[0].text).toBe('The script failed.');
    expect((await ask({ tools, messages: [] })).content[0].text).toBe('The script failed.');
    expect(failures).toEqual([thrown]);
  });

  it('lets nothing through to other machines and names what was tried', async () => {
    const { refused, url } = await started([]);
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const asked = request({ hostname, port, path: 'http://example.test/x' }, (answer) => resolve(answer.statusCode));
      asked.on('error', reject).end();
    });
    expect(status).toBe(403);
    expect(refused).toEqual(['example.test']);
  });
});
