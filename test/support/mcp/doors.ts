import { expect } from 'vitest';
import type { Operation } from '../../../src/http/operation.ts';
import { snakeCase } from '../../../src/mcp/build/build-tools.ts';
import { callApi } from '../api/client.ts';
import type { ApiResponse } from '../api/conform.ts';
import { callPathWithBindings } from '../api/measure.ts';
import { operationFor, operations, storeOperations } from '../api/operations.ts';
import { runsOf } from '../slow.ts';
import { callMcp, type ToolResult, wordOf } from './assistant.ts';

/** A request of a matrix. */
interface Sent {
  headers: Record<string, string>;
  body?: unknown;
  bindings?: Partial<Env>;
}

/** A way to an operation of a store, so that one matrix tries each of them. */
export interface Door {
  over: 'HTTP' | 'MCP';
  /** Calls the operation of a method and path, `/v2/{alias}/...`. */
  call: (method: string, path: string, sent: Sent) => Promise<ApiResponse>;
  /** Returns `api('GET /catalog/brands')` of a store and credentials, as `createApiClient` does. */
  client: (
    alias: string,
    headers: Record<string, string>,
  ) => (request: string, body?: unknown, more?: Record<string, string>) => Promise<ApiResponse>;
  /** The resource of a token of this door. */
  tokensFor: { resource?: 'mcp' };
  /** The operations that can be called here. */
  operations: readonly Operation[];
  /** The `WWW-Authenticate` of its 401. */
  challenge: RegExp;
  /**
   * The subjects of a matrix that a run tries at this door: all at the first one, and in slow runs.
   */
  sample: <S>(subjects: readonly S[]) => readonly S[];
}

const clientOf =
  (call: Door['call']): Door['client'] =>
  (alias, credentials) =>
  (request, body, more = {}) => {
    const [method = '', path = ''] = request.split(/ (.*)/s);
    return call(method, `/v2/${alias}${path}`, { headers: { ...credentials, ...more }, body });
  };

const callOverHttp: Door['call'] = (method, path, { bindings, ...sent }) =>
  bindings
    ? callPathWithBindings(method, path, { ...sent, bindings })
    : callApi(method, path, sent);

/** The members of a body as arguments. */
const isNamed = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/** The arguments of a tool that make the request of an operation. */
function argumentsOf(operation: Operation, path: string, body: unknown): Record<string, unknown> {
  const [pathname = '', search = ''] = path.slice('/v2'.length).split('?');
  const parts = pathname.split('/');
  const ids = operation.path
    .split('/')
    .flatMap((part, index) =>
      part.startsWith('{') && part !== '{alias}'
        ? [[part.slice(1, -1), decodeURIComponent(parts[index] ?? '')] as const]
        : [],
    );
  if (body !== undefined && !isNamed(body)) throw new Error('Only named members are arguments.');
  return {
    ...(operation.method !== 'GET' && body),
    ...Object.fromEntries(new URLSearchParams(search)),
    ...Object.fromEntries(ids),
  };
}

/**
 * Calls the tool of an operation, with consent where it asks for it. The result as the answer of
 * the operation.
 */
const callOverMcp: Door['call'] = async (method, path, { headers: sent, body, bindings }) => {
  const operation = operationFor(method, path);
  if (!operation) throw new Error(`${method} ${path} is no operation`);
  const store = /^\/v2\/([^/?]+)/.exec(path)?.[1] ?? '';
  const options = { headers: sent, query: `?store=${store}`, ...(bindings && { bindings }) };
  const params = { name: snakeCase(operation.id), arguments: argumentsOf(operation, path, body) };
  const send = () => callMcp('tools/call', params, options);
  let answer = await send();
  const refused = answer.body?.result as ToolResult | undefined;
  if (refused?.structuredContent?.code === 'confirmation_required') {
    params.arguments.confirm = wordOf(refused);
    answer = await send();
  }
  const { status } = answer;
  if (status !== 200) return answer;
  expect(answer.body, params.name).toHaveProperty('result');
  const { isError, structuredContent } = answer.body.result as ToolResult;
  const headers = new Headers(answer.headers);
  const { retry_after: wait } = structuredContent;
  if (wait !== undefined) headers.set('Retry-After', String(wait));
  return {
    headers,
    status: isError ? structuredContent.status_code : operation.reply.status,
    body: structuredContent,
  };
};

/** The API over HTTP, and its operations as tools for assistants. */
export const doors: readonly Door[] = [
  {
    over: 'HTTP',
    call: callOverHttp,
    client: clientOf(callOverHttp),
    tokensFor: {},
    operations,
    challenge: /^Bearer$/,
    sample: (subjects) => subjects,
  },
  {
    over: 'MCP',
    call: callOverMcp,
    client: clientOf(callOverMcp),
    tokensFor: { resource: 'mcp' },
    operations: storeOperations.filter(({ upload }) => !upload),
    challenge: /^Bearer (?:error="invalid_token", )?resource_metadata="[^"]+"$/,
    sample: (subjects) => subjects.filter((_one, index) => index % runsOf(1, 4) === 0),
  },
];
