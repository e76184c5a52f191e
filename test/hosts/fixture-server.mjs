// The smallest MCP server that answers as ours does: the same JSON as structuredContent and as text.
import { appendFileSync } from 'node:fs';
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const local = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const note = (line) => {
  if (process.env.FIXTURE_LOG) appendFileSync(process.env.FIXTURE_LOG, `${JSON.stringify(line)}\n`);
};

// A person chooses one of two; without a default, so that an answer that was not given cannot look like one.
const form = (gate) =>
  inputRequired.elicit({
    message: `Gate ${gate}: may the agent go on?`,
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Answer', enum: ['approve', 'reject'] } },
      required: ['answer'],
    },
  });

const answer = (value) => ({
  structuredContent: value,
  content: [{ type: 'text', text: JSON.stringify(value) }],
  isError: value.ok === false,
});

function build() {
  const server = new McpServer(
    { name: 'loopx', version: '0.0.0' },
    { instructions: 'Fixture of the host harness: claim a todo before you work on it.' },
  );
  server.registerTool(
    'todo_claim',
    {
      title: 'Claim a todo',
      description: 'Claims a todo.',
      inputSchema: z.object({ todo: z.string() }),
      annotations: local,
    },
    async ({ todo }) => {
      note({ tool: 'todo_claim', todo, cwd: process.cwd() });
      if (todo === 'T0') return answer({ ok: false, code: 'not-found', message: 'There is no todo T0.' });
      return answer({ ok: true, todo, claim: { token: 7, holder: 'fixture' } });
    },
  );
  server.registerTool(
    'goal_status',
    {
      title: 'Status of a goal',
      description: 'Says how the goal stands.',
      inputSchema: z.object({ token: z.number().optional() }),
      annotations: { ...local, readOnlyHint: true },
    },
    async ({ token }) => {
      note({ tool: 'goal_status', token });
      return answer({ ok: true, goal: 'fixture', sawToken: token ?? null });
    },
  );
  server.registerTool(
    'gate_ask',
    { title: 'Ask the owner', description: 'Asks by a form.', inputSchema: z.object({}), annotations: local },
    async (_args, { mcpReq }) => {
      const responses = mcpReq.inputResponses;
      if (responses === undefined) return inputRequired({ inputRequests: { owner: form('G1') } });
      note({ tool: 'gate_ask', responses });
      return answer({ ok: true, gate: 'G1', answer: acceptedContent(responses, 'owner')?.answer ?? null });
    },
  );
  server.registerPrompt(
    'answer_gate',
    { title: 'Answer a gate', description: 'Shows a form.', argsSchema: z.object({ gate: z.string().optional() }) },
    async ({ gate }, { mcpReq }) => {
      const responses = mcpReq.inputResponses;
      if (responses === undefined) return inputRequired({ inputRequests: { owner: form(gate) } });
      note({ prompt: 'answer_gate', gate, responses });
      const chosen = acceptedContent(responses, 'owner')?.answer ?? 'nothing';
      return { messages: [{ role: 'user', content: { type: 'text', text: `The owner chose ${chosen} at ${gate}.` } }] };
    },
  );
  return server;
}

serveStdio(build);
