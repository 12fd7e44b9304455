import { type CallToolResult, createMcpHandler } from '@modelcontextprotocol/server';
import { Hono, type Context } from 'hono';
import { cors } from 'hono/cors';
import { HttpError } from '../base/errors.ts';
import { isLoopbackHost, serviceOrigin, type Settings } from '../base/settings.ts';
import { challengeOf, wrongResourceChallenge } from '../http/access/challenge.ts';
import { markMcpRequest, markDryRun } from '../http/access/resource.ts';
import type { AppEnv } from '../http/app-env.ts';
import { allowOtherOrigins } from '../http/cors.ts';
import { errorBody, errorResponse } from '../http/error-response.ts';
import { addDefaults, type Fetch } from '../http/mount.ts';
import { decodeJson, readBodyBytes } from '../http/read-request.ts';
import { identifyAssistant } from './assistant.ts';
import { createServer } from './create-server.ts';
import { readToolFile } from './read-tool-file.ts';
import type { ToolRequest } from './tool-request.ts';
import { errorResult } from './tool-result.ts';
import { readChoice } from './toolset.ts';

/** Where the server is, and what it offers to the authorization server as a resource (RFC 9728). */
const mcpPath = '/mcp';

/** The version of the tools: that of the API. */
const version = '2.0.0';

/** Headers of a request that its calls of operations hand on: who calls, from where, and how. */
const handedOn: readonly string[] = [
  'Authorization',
  'CF-Connecting-IP',
  'CF-IPCountry',
  'Idempotency-Key',
  'User-Agent',
  'User-Secret-Key',
  'User-Token',
  'X-Partner-Client-ID',
];

const answerPreflight = cors({
  origin: '*',
  allowMethods: ['POST'],
  allowHeaders: [
    ...handedOn,
    'Content-Type',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Protocol-Version',
    'X-Request-Id',
  ],
});

/** The server for assistants. `dispatch` is the service itself: calls of tools go through it like any request. */
export function mcpRoutes({ dispatch, basePath }: { dispatch: Fetch; basePath: string }) {
  const app = new Hono<AppEnv>();
  app.use(allowOtherOrigins(answerPreflight));
  addDefaults(app);
  app.all(mcpPath, (c) => answer(c, dispatch, basePath));
  return app;
}

async function answer(c: Context<AppEnv>, dispatch: Fetch, basePath: string): Promise<Response> {
  const settings = c.get('settings');
  assertOrigin(c, settings);
  if (c.req.method !== 'POST') {
    // Nothing is streamed to a client that does not ask.
    throw new HttpError('method_not_allowed', { headers: { Allow: 'POST' } });
  }
  const hasCredentials = ['Authorization', 'User-Token', 'User-Secret-Key'].some(
    (name) => c.req.header(name) !== undefined,
  );
  const origin = serviceOrigin(settings, c.req.url);
  const challenge = hasCredentials ? wrongResourceChallenge(origin) : challengeOf(origin);
  try {
    const { searchParams: query, origin: address } = new URL(c.req.url);
    const choice = readChoice(query);
    const bytes = await readBodyBytes(c.req.raw);
    const message = readMessage(bytes, c.req.header('Content-Type'));
    const assistant = await identifyAssistant(c, query.get('store') ?? undefined);
    const { alias } = assistant;
    // The operation of a tool checks its caller itself, in the round trips that it needs anyway.
    if (!isToolCall(message)) await assistant.admit();
    let refused: Response | undefined;
    const admit = () =>
      assistant.admit().catch((error: unknown) => {
        if (error instanceof HttpError && error.status === 401) refused ??= errorResponse(error, c);
        throw error;
      });
    const send = async (path: string, request?: ToolRequest) => {
      const response = await dispatch(
        innerRequest(c, address + path, request),
        c.env,
        c.executionCtx,
      );
      if (response.status === 401) refused ??= response.clone();
      return response;
    };
    const tools = await readToolFile(c.env.ASSETS, origin);
    const handler = createMcpHandler(
      () =>
        createServer({
          tools,
          choice,
          alias,
          admit,
          version,
          serviceName: settings.serviceName,
          send: (request) => {
            c.set('isLogged', true);
            return send(basePath + request.path, request);
          },
          explain: (error) => explain(error, c),
          resources: {
            origin,
            pages: tools.pages,
            readSettings: () => send(`${basePath}/${alias}/config/settings`),
            readPage: (path) => send(path),
          },
        }),
      // A stream of changes would outlive its request, and nothing here changes.
      { maxSubscriptions: 0, keepAliveMs: 0 },
    );
    const { raw } = c.req;
    const response = await (message === undefined
      ? handler.fetch(new Request(raw.url, { method: 'POST', headers: raw.headers, body: bytes }))
      : handler.fetch(raw, { parsedBody: message }));
    // A stream begins before the calls have ended, whose refusal is that of the whole request.
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
    const body = isStream ? await response.arrayBuffer() : response.body;
    if (!refused) return isStream ? new Response(body, response) : response;
    const headers = new Headers(refused.headers);
    headers.set('WWW-Authenticate', challenge);
    return new Response(refused.body, { status: 401, headers });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 401) throw error;
    c.error = error;
    error.headers['WWW-Authenticate'] = challenge;
    return errorResponse(error, c);
  }
}

/**
 * Refuses pages that no browser vouches for, and locally pages of other hosts: a name of theirs could point at this
 * machine (DNS rebinding). The host itself is checked for every request (`http/mount.ts`).
 */
function assertOrigin(c: Context<AppEnv>, { isLocal, localHosts }: Settings) {
  const sent = c.req.header('Origin');
  if (sent === undefined) return;
  const { hostname, protocol } = URL.canParse(sent)
    ? new URL(sent)
    : { hostname: '', protocol: '' };
  const isThisMachine = isLoopbackHost(hostname) || (isLocal && localHosts.includes(hostname));
  if (isThisMachine || (!isLocal && protocol === 'https:')) return;
  throw new HttpError('origin_not_allowed', {
    errors: { Origin: ['Must be one of a known host.'] },
  });
}

/** The message of a body; `undefined` for one that is no JSON, of which the library says so. */
function readMessage(bytes: Uint8Array, mediaType: string | undefined): unknown {
  let message: unknown;
  try {
    message = decodeJson(bytes, mediaType);
  } catch (error) {
    const isSyntax =
      error instanceof HttpError && error.errors?.body?.[0] === 'Must be valid JSON.';
    if (!isSyntax && !(error instanceof HttpError && error.status === 415)) throw error;
    return undefined;
  }
  // The protocol has no batches since 2025-06-18: each would be a way to make thousands of calls at once.
  if (Array.isArray(message))
    throw new HttpError('malformed_body', { errors: { body: ['Must be one message.'] } });
  return message;
}

const isToolCall = (message: unknown): boolean =>
  typeof message === 'object' &&
  message !== null &&
  (message as { method?: unknown }).method === 'tools/call';

/** A request of this caller to the service itself, with the same request id. */
function innerRequest(c: Context<AppEnv>, url: string, request?: ToolRequest): Request {
  const headers = new Headers({ 'X-Request-Id': c.get('requestId'), Prefer: 'handling=strict' });
  for (const name of handedOn) {
    const value = c.req.raw.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (request?.mediaType) headers.set('Content-Type', request.mediaType);
  const { method = 'GET', body } = request ?? {};
  const inner = markMcpRequest(new Request(url, { method, headers, ...(body && { body }) }));
  return request?.isTried ? markDryRun(inner) : inner;
}

/** The result of a call that its caller can mend; `undefined` for a fault, which the library reports without details. */
function explain(error: unknown, c: Context<AppEnv>): CallToolResult | undefined {
  if (!(error instanceof HttpError)) return undefined;
  const { errors, headers } = error;
  return errorResult({ ...errorBody(error, c), ...(errors && { errors }) }, headers['Retry-After']);
}
