import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';
import { seededRandom } from '../../support/webhooks/simulation/seeded-random.ts';

/** `FUZZ_REQUESTS=100000 npm run test:file -- test/process/service/fuzz.slow.test.ts` sends more. */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 5_000);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const atOnce = 12;

const random = seededRandom(seed);
const chance = (share: number) => random() < share;
const below = (count: number) => Math.floor(random() * count);
const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

interface DocumentedOperation {
  operationId: string;
  parameters?: ({ name: string; in: string } | { $ref: string })[];
  requestBody?: {
    content: Record<string, { example?: Json; examples?: Record<string, { value: Json }> }>;
  };
}

interface Target {
  method: string;
  path: string;
  query: readonly string[];
  body: Json | undefined;
}

let demo: RunningDemo;
/** The ids of the records of each list, by its path. */
const known = new Map<string, readonly string[]>();
let targets: readonly Target[];
beforeAll(async () => {
  demo = await startDemo();
  const document = (await (await fetch(`${demo.origin}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, DocumentedOperation>>;
  };
  targets = [
    ...Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
        .map(([method, operation]) => toTarget(method.toUpperCase(), path, operation)),
    ),
    ...pages.flatMap((path) =>
      ['GET', 'POST'].map((method) => ({ method, path, query: pageQuery, body: undefined })),
    ),
  ];
  for (const { method, path } of targets) {
    if (method !== 'GET' || !path.startsWith('/{alias}/') || path.split('{').length > 2) continue;
    const headers = { 'User-Token': 'demo-user-token', 'User-Secret-Key': 'sk_demo_secret_key' };
    const response = await fetch(`${demo.origin}/v2${path.replace('{alias}', 'demo')}`, {
      headers,
    });
    const { data } = (await response.json()) as { data?: { id?: number | string }[] };
    const found = Array.isArray(data)
      ? data.flatMap(({ id }) => (id === undefined ? [] : [id]))
      : [];
    if (found.length > 0) known.set(path, found.map(String));
  }
}, 120_000);
afterAll(() => demo.close());

function toTarget(method: string, path: string, operation: DocumentedOperation): Target {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const [first] = Object.values(content?.examples ?? {});
  return {
    method,
    path,
    query: (operation.parameters ?? []).flatMap((parameter) =>
      'in' in parameter && parameter.in === 'query' ? [parameter.name] : [],
    ),
    body: content && (content.example ?? first?.value ?? {}),
  };
}

const pages = [
  '/session',
  '/session/code',
  '/session/passkey',
  '/sign-up',
  '/sign-up/confirm',
  '/password/forgotten',
  '/password/reset',
  '/e-mail/confirm',
  '/e-mail/undo',
  '/second-factor/keep',
  '/e-mail/unsubscribe',
  '/invitations/x',
  '/oauth/authorize',
  '/oauth/token',
  '/oauth/revoke',
  '/account',
  '/account/stores/demo/edit',
  '/account/webhooks/demo/new',
  '/partners/new',
  '/operator',
  '/operator/stores',
  '/docs/reference/brands',
  '/docs',
  '/ready',
  '/llms.txt',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource/mcp',
];
const pageQuery = [
  'token',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code',
  'search',
  'cursor',
];

const texts = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'undefined',
  '1e309',
  '9007199254740993',
  '2026-02-30',
  '2026-11-22T25:00:00Z',
  'name:',
  'name:*"',
  'id:asc,id:desc,__proto__:asc',
  "'; drop table brands; --",
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '%00%0a%0d',
  '\u0000',
  '\uD800',
  '\u202Egnp.exe',
  '🧨'.repeat(300),
  'e\u0301'.repeat(500),
  'a'.repeat(70_000),
  '__proto__',
  'constructor',
  '${7*7}',
  'http://169.254.169.254/latest',
  'http://[::1]:1/',
  'javascript:alert(1)',
  'data:text/html,x',
  '{"a":1}',
];

const values = (): Json =>
  pick<() => Json>([
    () => null,
    () => true,
    () => pick([0, -1, 1.5, 1e308, -1e308, 2 ** 53, 2 ** 31, 0.1 + 0.2, 1e-320]),
    () => pick(texts),
    () => pick(texts),
    () => [],
    () => ({}),
    () => [null, [], {}, 'x', 1],
    () => Array.from({ length: 2_000 }, () => 1),
    () => ({ __proto__x: 1, constructor: { prototype: {} }, toString: 'x' }),
    () => nested(200),
  ])();

const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);

/** Changes a body in some places. */
function mutate(value: Json, share: number): Json {
  if (chance(share)) return values();
  if (Array.isArray(value)) {
    const items = value.map((item) => mutate(item, share));
    return chance(share) ? [...items, ...items, values()] : items;
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value)
      .filter(() => !chance(share / 2))
      .map(([name, member]) => [name, mutate(member, share)]);
    if (chance(share)) pairs.push([pick(texts).slice(0, 100), values()]);
    return Object.fromEntries(pairs) as Json;
  }
  return value;
}

const ids = [
  '0',
  '-1',
  '1e3',
  '9007199254740993',
  '999999999999',
  'abc',
  '%00',
  '%ED%A0%80',
  '..%2F',
  '1;',
  '+1',
  '01',
];

const fillPath = ({ path, method }: Target) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string, at: number) => {
    if (name === 'alias')
      return chance(0.97) ? 'demo' : pick(['outlet', 'closed', 'none', '%00', 'A%20b']);
    // Operators' actions must not close the stores and users of the demo.
    const isAction = path.includes('/operator/') && method !== 'GET';
    if (isAction) return pick([...ids, '99999']);
    const list = known.get(path.slice(0, at - 1));
    if (list && chance(0.8)) return pick(list);
    return chance(0.7) ? String(1 + below(40)) : pick(ids);
  });

const credentials = (path: string): Record<string, string> => {
  if (chance(0.04)) return {};
  if (chance(0.04)) return { 'User-Token': pick(texts), 'User-Secret-Key': 'x' };
  if (chance(0.04))
    return { Authorization: `Bearer ${pick(texts)}`, 'X-Partner-Client-ID': 'demo-app' };
  return path.includes('/operator')
    ? { 'User-Token': 'olga-user-token', 'User-Secret-Key': 'sk_olga_secret_key' }
    : { 'User-Token': 'demo-user-token', 'User-Secret-Key': 'sk_demo_secret_key' };
};

const oddHeaders: readonly (readonly [string, readonly string[]])[] = [
  ['If-Match', ['*', '""', 'W/"x"', '"AAAAAAAAAAAAAAAAAAAAAA"', ',,,', 'x'.repeat(5_000)]],
  ['If-None-Match', ['*', '"AAAAAAAAAAAAAAAAAAAAAA"', '"']],
  ['Idempotency-Key', ['a', 'é', 'x'.repeat(300), '"a"', 'same']],
  ['Prefer', ['read=nearest', 'return=minimal', 'return=representation', ';;;', 'a=b'.repeat(500)]],
  [
    'X-Bookmark',
    ['0.0.x', '0.1.00000001-00000001-00000001-00000000', '0.99.first-primary', '-', '1.0.a'],
  ],
  ['Accept', ['text/html', 'application/json', '*/*;q=0', 'x']],
  ['Accept-Language', ['pt-BR', 'xx-XX', 'en;q=2', ','.repeat(500)]],
  ['Content-Encoding', ['gzip', 'br', 'x']],
  ['Cookie', ['__Host-session=x', '__Host-session=', '=;;;', 'language=xx']],
  ['Origin', ['null', 'https://evil.test', 'http://localhost']],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['X-Forwarded-Host', ['evil.test']],
  ['Range', ['bytes=0-1', 'bytes=9-1', 'x']],
];

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

function makeRequest(): Sent {
  const target = pick(targets);
  const names = target.query.filter(() => chance(0.4));
  const query = names
    .flatMap((name) => (chance(0.1) ? [name, name] : [name]))
    .map((name) => `${encodeURIComponent(name)}=${encode(pick(texts).slice(0, 3_000))}`)
    .join('&');
  const headers = { ...credentials(target.path) };
  for (const [name, options] of oddHeaders) if (chance(0.06)) headers[name] = pick(options);
  let body: string | undefined;
  if (target.method !== 'GET') {
    const isForm = pages.includes(target.path);
    headers['Content-Type'] = chance(0.95)
      ? isForm
        ? 'application/x-www-form-urlencoded'
        : 'application/json'
      : pick(['text/plain', 'multipart/form-data; boundary=x', 'application/x-ndjson', 'x']);
    if (isForm) {
      headers['Origin'] ??= demo.origin;
      body = pageQuery.map((name) => `${name}=${encode(pick(texts).slice(0, 3_000))}`).join('&');
    } else if (target.body !== undefined) {
      const text = JSON.stringify(mutate(target.body, pick([0, 0.02, 0.1, 0.4])));
      body = chance(0.04) ? text.slice(0, below(text.length)) : text;
    }
    if (chance(0.02)) body = pick(['', '{', '[]', '"x"', '\u0000', '{"a":1}{', '[['.repeat(5_000)]);
  }
  const filled = fillPath(target);
  const prefix = pages.includes(target.path) ? '' : '/v2';
  return {
    method: target.method,
    path: `${prefix}${filled}${query ? `?${query}` : ''}`,
    headers,
    body,
  };
}

/** Percent-encodes a text, also one that is not well-formed. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** Sends a request by HTTP/1.1 as it is; resolves to the status and the body. */
const send = ({ method, path, headers, body }: Sent) =>
  new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(demo.origin);
    const safe = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        Buffer.from(value.replaceAll(/\p{Cc}/gu, ''), 'utf8')
          .toString('latin1')
          .slice(0, 7_000),
      ]),
    );
    // Node sends the body of a DELETE without its length.
    if (body !== undefined) safe['Content-Length'] = String(Buffer.byteLength(body));
    const outgoing = request({ hostname, port, method, path, headers: safe }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

it(`answers ${requests} broken and hostile requests without an error of the server`, async () => {
  const faults: object[] = [];
  const statuses: Record<number, number> = {};
  let left = requests;
  const work = async () => {
    while (left > 0 && faults.length < 20) {
      left -= 1;
      const sent = makeRequest();
      const answer = await send(sent).catch((error: unknown) => ({
        status: 599,
        type: '',
        text: String(error),
      }));
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      const isApi = sent.path.startsWith('/v2');
      const hasShape = answer.status < 400 || !isApi || /"code":|"message":/.test(answer.text);
      if (answer.status >= 500 || !hasShape) {
        faults.push({
          ...sent,
          body: sent.body?.slice(0, 2_000),
          status: answer.status,
          text: answer.text.slice(0, 600),
        });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  console.log(JSON.stringify(statuses));
  expect(faults).toEqual([]);
  // It reached the operations, not only their refusals.
  expect(statuses[200] ?? 0).toBeGreaterThan(requests / 20);
  expect((statuses[201] ?? 0) + (statuses[422] ?? 0)).toBeGreaterThan(requests / 50);
  expect(demo.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
}, 1_800_000);
