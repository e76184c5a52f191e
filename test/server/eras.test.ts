import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mainPath, Place } from '../cli/loopx.ts';
import { TestHost } from './test-host.ts';

const place = new Place();
const command = { command: process.execPath, args: [mainPath, 'serve'], cwd: place.project, env: place.env };
const info = { name: 'era-test', version: '1' };

interface SomeClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  getPrompt(params: { name: string }): Promise<{ messages: unknown[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

async function tryAll(client: SomeClient): Promise<void> {
  expect((await client.listTools()).tools).toHaveLength(16);
  expect((await client.listPrompts()).prompts).toHaveLength(10);
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('loopx://goals');
  const answer = (await client.callTool({ name: 'goal_status', arguments: { goal: 'era' } })) as {
    structuredContent: { ok: boolean; goal: { goal: string } };
    content: { text: string }[];
  };
  expect(answer.structuredContent).toMatchObject({ ok: true, goal: { goal: 'era' } });
  expect(JSON.parse(answer.content[0]?.text ?? '')).toEqual(answer.structuredContent);
  const refused = (await client.callTool({ name: 'todo_claim', arguments: { ttlS: 'soon' } })) as {
    structuredContent: object;
    isError: boolean;
  };
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: { code: 'bad-argument', details: { field: 'ttlS' } },
  });
  expect((await client.getPrompt({ name: 'loop' })).messages).toHaveLength(1);
  expect((await client.readResource({ uri: 'loopx://goals/era' })).contents).toHaveLength(1);
  await expect(client.readResource({ uri: 'loopx://goals/none' })).rejects.toThrow();
  await client.close();
}

describe('the server speaks with', () => {
  beforeAll(async () => {
    const host = await TestHost.start(place);
    await host.call('goal_start', { goal: 'era', objective: 'Both eras', todos: [{ title: 'a' }] });
    await host.stop();
  });
  afterAll(() => place.remove());

  it('the client of the 1.x SDK [R5]', async () => {
    const client = new OldClient(info);
    await client.connect(new OldTransport({ ...command, stderr: 'ignore' }));
    await tryAll(client as unknown as SomeClient);
  });

  it.each([
    ['by default', undefined],
    ['choosing by itself', { mode: 'auto' as const }],
    ['pinned to the modern era', { mode: { pin: '2026-07-28' } }],
  ])('the client of the 2.x SDK %s [R5]', async (_name, versionNegotiation) => {
    const client = new ModernClient(info, versionNegotiation === undefined ? {} : { versionNegotiation });
    await client.connect(new ModernTransport({ ...command, stderr: 'ignore' }));
    await tryAll(client as unknown as SomeClient);
  });

  it('raw messages of the modern era, without a handshake [R5]', async () => {
    const host = new TestHost(place, { era: 'modern' });
    const { result } = await host.request('server/discover');
    expect(result.supportedVersions).toContain('2026-07-28');
    expect(result.capabilities).toMatchObject({
      tools: {},
      prompts: {},
      resources: { subscribe: true },
      completions: {},
    });
    expect((await host.request('tools/list')).result.tools).toHaveLength(16);
    expect((await host.call('goal_status', { goal: 'era' })).goal.goal).toBe('era');
    await host.stop();
    expect(host.noise).toEqual([]);
  });

  it('a host that probes the modern era and then falls back to the legacy one [R5]', async () => {
    const host = new TestHost(place, { era: 'modern' });
    await host.request('server/discover');
    host.send({
      jsonrpc: '2.0',
      id: 'init',
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info },
    });
    host.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect((await host.request('tools/list')).result.tools).toHaveLength(16);
    await host.stop();
    expect(host.noise).toEqual([]);
  });
});
