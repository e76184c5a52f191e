import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { type Connection, type Visit, visitOf } from '../host/connection.ts';
import type { Answer } from '../state/answer.ts';
import type { Resource } from './define-resource.ts';
import { isTemplate, resourceAt, resources } from './registry.ts';

/** Serves the read-only views; all of them can also be had by goal_status, for hosts without resources. */
export function addResources(connection: Connection): void {
  const { server } = connection.mcp;
  server.registerCapabilities({ resources: { subscribe: true, listChanged: false } });
  server.setRequestHandler('resources/list', () => ({
    resources: resources.filter((one) => !isTemplate(one)).map((one) => ({ uri: one.uri, ...faceOf(one) })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: resources.filter(isTemplate).map((one) => ({ uriTemplate: one.uri, ...faceOf(one) })),
  }));
  server.setRequestHandler('resources/read', async ({ params }, context) => ({
    contents: [await contentOf(params.uri, visitOf(connection, context))],
  }));
  server.setRequestHandler('resources/subscribe', async ({ params }, context) => {
    if (resourceAt(params.uri) === undefined) throw new ResourceNotFoundError(params.uri);
    await connection.subscriptions.add(params.uri, visitOf(connection, context).open);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    connection.subscriptions.remove(params.uri);
    return {};
  });
}

function faceOf({ name, title, description, mimeType }: Resource) {
  return { name, title, description, mimeType };
}

async function contentOf(uri: string, { open, observer }: Visit) {
  const found = resourceAt(uri);
  if (found === undefined) throw new ResourceNotFoundError(uri);
  const opened = await open();
  if ('refusal' in opened) throw new ProtocolError(ProtocolErrorCode.InternalError, opened.refusal.message);
  const answer = await found.resource.read(opened.plane, found.variables, observer);
  if (!answer.ok) throw refusedRead(uri, answer);
  const { mimeType } = found.resource;
  return { uri, mimeType, text: mimeType === 'text/markdown' ? String(answer.board) : JSON.stringify(answer) };
}

function refusedRead(uri: string, { code, message }: Extract<Answer, { ok: false }>): Error {
  if (code === 'not-found' || code === 'no-goal') return new ResourceNotFoundError(uri, message);
  return new ProtocolError(ProtocolErrorCode.InternalError, message, { code });
}
