import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ToolFile, toolFilePath } from '../../../src/mcp/tool.ts';
import { crawlPages, type ShownForm, type ShownPages } from '../../support/node/load/crawl.ts';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';
import { seededRandom } from '../../support/webhooks/simulation/seeded-random.ts';

/**
 * `FUZZ_REQUESTS=100000 npm run test:file -- test/process/service/fuzz.slow.test.ts` sends more.
 */
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
/** What signed-in users see, and the tools of assistants. */
let shown: ShownPages;
let tools: ToolFile['tools'];
beforeAll(async () => {
  demo = await startDemo();
  ({ tools } = JSON.parse(readFileSync(`dist/docs/${toolFilePath}`, 'utf8')) as ToolFile);
  shown = await crawlPages(demo.origin);
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
  ['Prefer', ['return=minimal', 'return=representation', ';;;', 'a=b'.repeat(500)]],
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

const ofTheDemo = { 'User-Token': 'demo-user-token', 'User-Secret-Key': 'sk_demo_secret_key' };

function addOddHeaders(headers: Record<string, string>) {
  for (const [name, options] of oddHeaders) if (chance(0.06)) headers[name] ??= pick(options);
}

/** A request of each kind, and how many of a hundred are of it. */
const kinds: Readonly<Record<string, [share: number, make: () => Sent]>> = {
  operation: [55, makeRequest],
  page: [10, makePageRequest],
  form: [15, makeForm],
  upload: [5, makeUpload],
  tool: [15, makeToolCall],
};

/** The ids of an address, some of them changed. */
const changeIds = (path: string) =>
  path.replaceAll(/(?<=\/)\d+(?=\/|$|\?)/g, (id) => (chance(0.1) ? pick(ids) : id));

const queryOf = (names: readonly string[]) =>
  names
    .filter(() => chance(0.3))
    .map((name) => `${name}=${encode(pick(texts).slice(0, 3_000))}`)
    .join('&');

const queriesOfPages = [...pageQuery, 'q', 'page', 'lang', 'status', 'summary', 'from', 'to'];

/** A page as a user opens it, with other ids and parameters. */
function makePageRequest(): Sent {
  const { path, cookie } = pick(shown.pages);
  const headers: Record<string, string> = { Cookie: cookie };
  addOddHeaders(headers);
  const query = queryOf(queriesOfPages);
  const separator = path.includes('?') ? '&' : '?';
  return {
    method: 'GET',
    path: changeIds(path) + (query && `${separator}${query}`),
    headers,
    body: undefined,
  };
}

const formHeaders = ({ cookie }: ShownForm, type: string) => {
  const headers: Record<string, string> = { Cookie: cookie, Origin: demo.origin };
  headers['Content-Type'] = type;
  addOddHeaders(headers);
  return headers;
};

/** Some fields of a form, changed, missing, repeated or invented. */
function changeFields({ fields }: ShownForm): (readonly [string, string])[] {
  const share = pick([0, 0.1, 0.4]);
  return fields.flatMap(([name, value]) => {
    // Without its token, no form is looked at.
    if (name === 'form_token') return [[name, chance(0.97) ? value : pick(texts)]];
    if (chance(share / 3)) return [];
    const changed: [string, string] = [name, chance(share) ? pick(texts) : value];
    return chance(share / 5) ? [changed, changed, [pick(texts).slice(0, 50), 'x']] : [changed];
  });
}

/** A form of a page, with its token. */
function makeForm(): Sent {
  const form = pick(shown.forms);
  const body = changeFields(form)
    .map((pair) => pair.map(encode).join('='))
    .join('&');
  const type = chance(0.97) ? 'application/x-www-form-urlencoded' : 'multipart/form-data';
  return { method: 'POST', path: changeIds(form.action), headers: formHeaders(form, type), body };
}

const cells = [
  ...texts,
  '"',
  '""',
  '\\"',
  ';',
  ',',
  '|',
  '\r',
  '=1+1',
  '1.500',
  '1,5',
  'a: b',
  '\uFEFF',
];

/** A table, lines or anything else as a file. */
function makeFile(): string {
  const line = (separator: string) =>
    Array.from({ length: 1 + below(12) }, () => pick(cells).slice(0, 2_000)).join(separator);
  const known = ['sku', 'name', 'price', 'stock', 'brand', 'images', 'variations', 'description'];
  return pick<() => string>([
    () => pick(texts),
    () => {
      const separator = pick([',', ';', '\t']);
      const rows = Array.from({ length: below(40) }, () => line(separator));
      return [known.slice(below(4)).join(separator), ...rows].join(pick(['\n', '\r\n', '\r']));
    },
    () => {
      const product = { name: 'a', active: true, skus: [{ sku: 'x', price_sale: 1 }] };
      const lines = Array.from({ length: below(20) }, () => JSON.stringify(mutate(product, 0.2)));
      return lines.join('\n');
    },
    () => pick(cells).repeat(5_000).slice(0, 200_000),
  ])();
}

/** A form of a page that takes a file. */
function makeUpload(): Sent {
  const form = pick(shown.forms.filter(({ takesFile }) => takesFile));
  const boundary = pick(['x', 'a b', '----7', 'x'.repeat(70)]);
  const parts = changeFields(form).map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  const type = pick(['text/csv', 'image/png', 'application/json', '']);
  const file = `Content-Disposition: form-data; name="file"; filename="${pick(['a.csv', '', '..', 'é"'])}"`;
  const withFile = chance(0.95) ? [`${file}\r\nContent-Type: ${type}\r\n\r\n${makeFile()}`] : [];
  const all = [...parts, ...withFile].map((part) => `--${boundary}\r\n${part}\r\n`).join('');
  const body = chance(0.03) ? all : `${all}--${boundary}--\r\n`;
  const headers = formHeaders(form, `multipart/form-data; boundary="${boundary}"`);
  return { method: 'POST', path: form.action, headers, body };
}

/** A message to the server for assistants: mostly a call of a tool. */
function makeToolCall(): Sent {
  const headers: Record<string, string> = {
    ...(chance(0.95) ? ofTheDemo : credentials('/mcp')),
    'Content-Type': 'application/json',
  };
  if (chance(0.3)) headers['MCP-Protocol-Version'] = pick(['2025-11-25', '2026-07-28', 'x']);
  addOddHeaders(headers);
  const query = chance(0.85) ? '?store=demo' : `?${queryOf(['store', 'toolsets', 'read_only'])}`;
  return { method: 'POST', path: `/mcp${query}`, headers, body: makeMessage() };
}

function makeMessage(): string {
  const { name, example } = pick(tools);
  const sent = mutate({ ...example, ...(chance(0.2) && { dry_run: true }) }, pick([0, 0.1, 0.3]));
  const call = { method: 'tools/call', params: { name, arguments: sent } };
  const message = pick<() => Json>([
    ...Array.from({ length: 6 }, () => () => call),
    () => ({
      method: 'tools/call',
      params: {
        name: 'call_operation',
        arguments: { name, arguments: chance(0.5) ? sent : JSON.stringify(sent) },
      },
    }),
    () => ({
      method: 'tools/call',
      params: { name: 'search_operations', arguments: { query: pick(texts) } },
    }),
    () => ({
      method: 'tools/call',
      params: { name: 'describe_operation', arguments: { name: pick([name, pick(texts)]) } },
    }),
    () => ({
      method: pick([
        'tools/list',
        'resources/list',
        'prompts/list',
        'ping',
        'initialize',
        pick(texts),
      ]),
    }),
    () => ({
      method: 'prompts/get',
      params: { name: pick(['prepare_product', pick(texts)]), arguments: { text: pick(texts) } },
    }),
    () => ({ method: 'resources/read', params: { uri: pick(['store://settings', pick(texts)]) } }),
    () => mutate(call, 0.3),
  ])();
  const text = JSON.stringify(
    typeof message === 'object' && !Array.isArray(message)
      ? { jsonrpc: '2.0', id: 1, ...message }
      : message,
  );
  return chance(0.03) ? text.slice(0, below(text.length)) : text;
}

/** A request, and its kind. */
function makeAny(): { kind: string; sent: Sent } {
  let left = below(100);
  for (const [kind, [share, make]] of Object.entries(kinds)) {
    left -= share;
    if (left < 0) return { kind, sent: make() };
  }
  throw new Error('the shares are less than a hundred');
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
  const statuses: Record<string, Record<number, number>> = {};
  let left = requests;
  const work = async () => {
    while (left > 0 && faults.length < 20) {
      left -= 1;
      const { kind, sent } = makeAny();
      const answer = await send(sent).catch((error: unknown) => ({
        status: 599,
        type: '',
        text: String(error),
      }));
      const ofKind = (statuses[kind] ??= {});
      ofKind[answer.status] = (ofKind[answer.status] ?? 0) + 1;
      const isApi = sent.path.startsWith('/v2');
      const hasShape = answer.status < 400 || !isApi || /"code":|"message":/.test(answer.text);
      const isFault = kind === 'tool' && /"status_code":5\d\d|"code":-32603/.test(answer.text);
      if (answer.status >= 500 || !hasShape || isFault) {
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
  // It reached what is behind the refusals of each kind.
  const reached = (kind: string, ...wanted: number[]) =>
    wanted.reduce((sum, status) => sum + (statuses[kind]?.[status] ?? 0), 0);
  const sharesOf = ([share]: [number, unknown]) => (requests * share) / 100;
  expect(reached('operation', 200)).toBeGreaterThan(requests / 20);
  expect(reached('operation', 201, 422)).toBeGreaterThan(requests / 50);
  expect(reached('page', 200)).toBeGreaterThan(sharesOf(kinds.page!) / 4);
  expect(reached('form', 303, 422)).toBeGreaterThan(sharesOf(kinds.form!) / 4);
  expect(reached('upload', 303, 422)).toBeGreaterThan(sharesOf(kinds.upload!) / 4);
  expect(reached('tool', 200)).toBeGreaterThan(sharesOf(kinds.tool!) / 4);
  expect(demo.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
}, 1_800_000);
