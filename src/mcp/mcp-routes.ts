import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { Hono, type Context } from 'hono';
import { accepts } from 'hono/accepts';
import { cors } from 'hono/cors';
import { HttpError } from '../base/errors.ts';
import { brandPaths } from '../base/page-paths.ts';
import { isLoopbackHost, serviceOrigin, type Settings } from '../base/settings.ts';
import { challengeOf, mcpPaths, wrongResourceChallenge } from '../http/access/access-token.ts';
import { contextOfCall } from '../http/access/admit.ts';
import { idempotencyKeyHeader } from '../http/access/idempotent-request.ts';
import type { AssistantCall } from '../http/access/principal.ts';
import type { AppEnv } from '../http/app-env.ts';
import { exposedHeaders, openHeaders } from '../http/cors.ts';
import { errorBody, errorResponse } from '../http/error-response.ts';
import { addDefaults, type Fetch } from '../http/mount.ts';
import { decodeJson, readBodyBytes } from '../http/read-request.ts';
import {
  type Assistant,
  identifyAssistant,
  isGeneral,
  type LoadedTools,
  readToolFile,
  readChoice,
} from './assistant.ts';
import { errorResult } from './call-tool.ts';
import { createServer } from './create-server.ts';
import { argumentsOf, type ToolRequest } from './tool-request.ts';

/** The version of the tools: that of the API. */
const version = '2.0.0';

/** Headers of a request that its calls of operations hand on: who calls, from where, and how. */
const handedOn: readonly string[] = [
  'Authorization',
  'CF-Connecting-IP',
  'CF-IPCountry',
  idempotencyKeyHeader,
  'User-Agent',
  'User-Secret-Key',
  'User-Token',
  'X-Partner-Client-ID',
];

/**
 * The header of sessions, which this server has not. Clients in a browser still read it, and send
 * what an older server gave.
 */
const sessionHeader = 'Mcp-Session-Id';

/** A page may send any header, and gets the answer 405 to methods other than POST. */
const answerPreflight = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'DELETE'],
  exposeHeaders: [...exposedHeaders, sessionHeader],
});

/** The service itself: calls of tools go through it like any request. */
interface Service {
  dispatch: Fetch;
  basePath: string;
}

/** The server for assistants. */
export function mcpRoutes(service: Service) {
  const app = new Hono<AppEnv>();
  app.options('*', (c, next) =>
    c.req.header('Access-Control-Request-Method') === undefined ? next() : answerPreflight(c, next),
  );
  addDefaults(app, openHeaders(sessionHeader));
  app.on('ALL', [...mcpPaths], (c) => answer(c, service));
  return app;
}

async function answer(c: Context<AppEnv>, service: Service): Promise<Response> {
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
  const challenge = hasCredentials
    ? wrongResourceChallenge(origin, c.req.path)
    : challengeOf(origin, c.req.path);
  try {
    const assistant = await identifyAssistant(c, c.req.query('store'));
    // Nothing is read for a caller without a name.
    if (!hasCredentials) await assistant.admit();
    try {
      return await answerCaller(c, assistant, { ...service, origin, challenge });
    } finally {
      // A call that reaches no operation counts, too, and is answered for those only who may ask.
      if (!c.get('isLogged') && !assistant.isAsked()) await assistant.admit();
    }
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 401) throw error;
    c.error = error;
    error.headers['WWW-Authenticate'] = challenge;
    return errorResponse(error, c);
  }
}

/**
 * Answers a caller, whom the operation of a tool checks itself, in the round trips that it needs
 * anyway.
 */
async function answerCaller(
  c: Context<AppEnv>,
  assistant: Assistant,
  { dispatch, basePath, origin, challenge }: Service & { origin: string; challenge: string },
): Promise<Response> {
  const { brand, tokenKeys: keys } = c.get('settings');
  const icon = brand.favicon === undefined ? undefined : origin + brandPaths.icon;
  const { alias } = assistant;
  const { searchParams: query, origin: address } = new URL(c.req.url);
  const choice = readChoice(query);
  const isStreamed = answerType(c) === 'text/event-stream';
  const bytes = await readBodyBytes(c.req.raw);
  const message = readMessage(bytes, c.req.header('Content-Type'));
  const tools = await readToolFile(c.env.ASSETS, origin);
  if (!callsTool(message, tools)) await assistant.admit();
  // The protocol has no batches since 2025-06-18: each would be a way to make thousands of calls at
  // once.
  if (Array.isArray(message)) return noRequest('Must be one message, not a list of them.');
  let refused: Response | undefined;
  const admit = () =>
    assistant.admit().catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 401) refused ??= errorResponse(error, c);
      throw error;
    });
  const send = async (path: string, request?: ToolRequest) => {
    const [inner, call] = innerRequest(c, address + path, request);
    const response = await dispatch(inner, c.env, contextOfCall(c.executionCtx, call));
    if (response.status === 401) refused ??= response.clone();
    return response;
  };
  const server = createServer({
    tools,
    choice,
    alias,
    keys,
    admit,
    version,
    serviceName: brand.name,
    icon,
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
  });
  const response = await speak(server, c.req.raw, { bytes, message, isStreamed });
  // A stream begins before the calls have ended, whose refusal is that of the whole request.
  const body = isStreamed ? await response.arrayBuffer() : response.body;
  if (!refused) return isStreamed && body ? new Response(body, response) : response;
  const headers = new Headers(refused.headers);
  headers.set('WWW-Authenticate', challenge);
  return new Response(refused.body, { status: 401, headers });
}

/** The types of an answer. */
const answerTypes = ['application/json', 'text/event-stream'];

/**
 * Chooses the type of an answer (RFC 9110, section 12.5.1): JSON, or a stream for a client that
 * accepts nothing else. Throws a 406 if neither is accepted.
 */
function answerType(c: Context<AppEnv>): string {
  const [json = ''] = answerTypes;
  const found = accepts(c, {
    header: 'Accept',
    supports: answerTypes,
    default: json,
    match: (ranges) => {
      const qualities = new Map(ranges.toReversed().map(({ type, q }) => [type.toLowerCase(), q]));
      // The range that says most of a type decides.
      const isAccepted = (type: string) =>
        [type, type.replace(/\/.*/, '/*'), '*/*', '*']
          .map((range) => qualities.get(range))
          .find((quality) => quality !== undefined);
      return answerTypes.find(isAccepted) ?? '';
    },
  });
  if (found !== '') return found;
  throw new HttpError('not_acceptable', {
    errors: { Accept: [`Must allow ${answerTypes.join(' or ')}.`] },
  });
}

/**
 * Lets the library answer a message. A client of before 2026-07-28 has a transport of its own,
 * since that of today would stream.
 */
async function speak(
  server: Server,
  raw: Request,
  { bytes, message, isStreamed }: { bytes: Uint8Array; message: unknown; isStreamed: boolean },
): Promise<Response> {
  // Nothing here changes, so who listens is told that no change will come, and the stream ends.
  const common = { maxSubscriptions: 1, keepAliveMs: 0 };
  if (message !== undefined && !(await isLegacyRequest(raw, message))) {
    const responseMode = isStreamed ? 'sse' : 'auto';
    const handler = createMcpHandler(() => server, { ...common, legacy: 'reject', responseMode });
    return handler.fetch(raw, { parsedBody: message });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({
    ...common,
    enableJsonResponse: !isStreamed,
  });
  await server.connect(transport);
  const headers = new Headers(raw.headers);
  headers.set('Accept', answerTypes.join(', '));
  const request = new Request(raw.url, { method: 'POST', headers, body: bytes });
  return transport.handleRequest(request, { parsedBody: message });
}

/**
 * Refuses pages that no browser vouches for, and locally pages of other hosts: a name of theirs
 * could point at this machine (DNS rebinding). The host itself is checked for every request
 * (`http/mount.ts`).
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
  const { params } = (message ?? {}) as { params?: { arguments?: unknown } | null };
  // Of what is no object, the library would only say that it is none.
  if (params?.arguments !== undefined) params.arguments = argumentsOf(params.arguments);
  return message;
}

/** The error of JSON-RPC for what is no request. */
const noRequest = (message: string): Response =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: ProtocolErrorCode.InvalidRequest, message } },
    { status: 400 },
  );

/** Whether a message calls a tool that there is. */
function callsTool(message: unknown, { named }: LoadedTools): boolean {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
  const name = method === 'tools/call' ? params?.name : undefined;
  return typeof name === 'string' && (isGeneral(name) || named.has(name));
}

/**
 * A request of this caller to the service itself, with the same request id, and how it makes it.
 */
function innerRequest(
  c: Context<AppEnv>,
  url: string,
  request?: ToolRequest,
): [Request, AssistantCall] {
  const headers = new Headers({ 'X-Request-Id': c.get('requestId'), Prefer: 'handling=strict' });
  for (const name of handedOn) {
    const value = c.req.raw.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (request?.mediaType) headers.set('Content-Type', request.mediaType);
  const { method = 'GET', body, isTried = false, idempotencyKey, earlierKey } = request ?? {};
  const isKeyed = headers.has(idempotencyKeyHeader);
  if (idempotencyKey !== undefined && !isKeyed) headers.set(idempotencyKeyHeader, idempotencyKey);
  const inner = new Request(url, { method, headers, ...(body && { body }) });
  return [inner, { isTried, earlierKey: isKeyed ? undefined : earlierKey }];
}

/**
 * The result of a call that its caller can mend; `undefined` for a fault, which the library reports
 * without details.
 */
function explain(error: unknown, c: Context<AppEnv>): CallToolResult | undefined {
  if (!(error instanceof HttpError)) return undefined;
  const { errors, headers } = error;
  return errorResult({ ...errorBody(error, c), ...(errors && { errors }) }, headers['Retry-After']);
}
