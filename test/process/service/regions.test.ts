import { afterAll, describe, expect, it } from 'vitest';
import { mintAccessToken } from '../../../src/http/access/access-token.ts';
import { wranglerVars } from '../../support/node/runtime/runtime.ts';
import { apiKeyHeadersOf, seedStore } from '../../support/node/runtime/seed-store.ts';
import { startService } from '../../support/node/runtime/service.ts';

const lines: string[] = [];
/** The store `bench` is in shard 0 in `enam`, as the directory. */
const service = await startService({ regions: ['enam', 'weur'], lines, ignoresQueues: true });
afterAll(() => service.stop());

/** The Worker that answered a request; `main` is the one that has the host. */
const answeredBy = (response: Response) => response.headers.get('X-Answered-By') ?? 'main';

const call = (path: string, init: RequestInit = {}) =>
  fetch(service.url + path, { redirect: 'manual', ...init });

const brands = (alias: string, headers: Record<string, string> = {}, as = alias) =>
  call(`v2/${alias}/catalog/brands`, { headers: { ...apiKeyHeadersOf(as), ...headers } });

const query = async (binding: string, sql: string) =>
  (await service.runtime.getD1Database(binding)).prepare(sql).run();

/** Makes a store without data in a shard, or brings it there. */
async function putStore(alias: string, from: number, to: number) {
  const id = `(select id from stores where alias = '${alias}')`;
  const directory = await service.runtime.getD1Database('DIRECTORY');
  const storeId = await directory.prepare(`select ${id} as id`).first<number>('id');
  await query(`STORE_${from}`, `delete from placements where store_id = ${storeId}`);
  await query(`STORE_${to}`, `insert into placements (store_id) values (${storeId})`);
  await query('DIRECTORY', `update stores set shard = ${to} where id = ${storeId}`);
}

async function createStore(alias: string, shard: number) {
  await seedStore(service.runtime, alias);
  if (shard !== 0) await putStore(alias, 0, shard);
}

/** The Workers that answered the same request, one after the other. */
async function answersOf(count: number, ask: () => Promise<Response>) {
  const answers: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const response = await ask();
    await response.arrayBuffer();
    answers.push(`${response.status} ${answeredBy(response)}`);
  }
  return answers;
}

describe('a request with an API key', () => {
  it('goes to the region of the directory at first, and to that of its store once that answered', async () => {
    await createStore('lisbon', 1);
    expect(await answersOf(3, () => brands('lisbon'))).toEqual([
      '200 enam',
      '200 weur',
      '200 weur',
    ]);
    expect(await answersOf(2, () => brands('bench'))).toEqual(['200 enam', '200 enam']);
  });

  it('goes to the region of its store at once if another isolate of the data centre knows it', async () => {
    await createStore('faro', 1);
    expect(await answersOf(2, () => brands('faro'))).toEqual(['200 enam', '200 weur']);
    const twin = (await service.runtime.getWorker('twin')) as unknown as { fetch: typeof fetch };
    const url = `${service.url}v2/faro/catalog/brands`;
    const headers = apiKeyHeadersOf('faro');
    expect(await answersOf(1, () => twin.fetch(url, { headers }))).toEqual(['200 weur']);
    const path = new URL('/.regions/', service.url);
    expect((await call(path.pathname.slice(1))).status).toBe(404);
  });

  it('follows its store, by one answer from the wrong region (200)', async () => {
    await createStore('mover', 1);
    expect(await answersOf(2, () => brands('mover'))).toEqual(['200 enam', '200 weur']);
    await putStore('mover', 1, 0);
    expect(await answersOf(3, () => brands('mover'))).toEqual(['200 weur', '200 enam', '200 enam']);
  });

  it('of a caller who is not admitted learns nothing of a store that others use (401, 403)', async () => {
    await createStore('porto', 1);
    expect(await answersOf(2, () => brands('porto'))).toEqual(['200 enam', '200 weur']);
    const wrong = { 'User-Secret-Key': 'sk_wrong' };
    expect(await answersOf(3, () => brands('porto', wrong))).toEqual(Array(3).fill('401 enam'));
    expect(await answersOf(3, () => brands('porto', {}, 'bench'))).toEqual(
      Array(3).fill('403 enam'),
    );
    expect(await answersOf(2, () => brands('nowhere', {}, 'bench'))).toEqual(
      Array(2).fill('403 enam'),
    );
  });

  it('cannot choose its region by a header, and no answer says where a store is', async () => {
    await createStore('braga', 1);
    const asked = { 'X-Store-Region': 'weur' };
    const response = await brands('braga', asked);
    expect(answeredBy(response)).toBe('enam');
    for (const one of [response, await brands('braga'), await brands('bench', asked)]) {
      expect(one.headers.get('X-Store-Region')).toBeNull();
      await one.arrayBuffer();
    }
    expect(await answersOf(1, () => brands('bench', asked))).toEqual(['200 enam']);
  });
});

describe('a request with an access token', () => {
  const claims = {
    grantId: 'g',
    clientId: 'c',
    userId: 1,
    storeId: 1,
    alias: 'bench',
    scopes: 0,
    generation: 1,
    issuedAt: 0,
    expiresAt: Date.now() + 600_000,
    facts: undefined,
  };

  it.each([
    [1, 'v2/bench/catalog/brands', 'weur'],
    [0, 'v2/bench/catalog/brands', 'enam'],
    [1, 'v2/operator/health', 'enam'],
    [9, 'v2/bench/catalog/brands', 'enam'],
    [1, 'mcp', 'weur'],
    [1, 'mcp/', 'weur'],
  ])('of shard %i for %s goes to %s at once (401)', async (shard, path, region) => {
    const keys = { current: wranglerVars.TOKEN_KEY, previous: undefined };
    const token = await mintAccessToken(keys, { ...claims, shard });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const method = path.startsWith('mcp') ? { method: 'POST', body: '{}' } : {};
    const response = await call(path, { headers, ...method });
    expect([response.status, answeredBy(response)]).toEqual([401, region]);
  });

  it.each(['oat_x.y', `oat_bnVsbA.${'x'.repeat(43)}`, `oat_eyJ9.${'x'.repeat(43)}`])(
    'that is no token goes to the region of the directory: %s (401)',
    async (token) => {
      const headers = { Authorization: `Bearer ${token}` };
      const response = await call('v2/bench/catalog/brands', { headers });
      expect([response.status, answeredBy(response)]).toEqual([401, 'enam']);
    },
  );
});

describe('what needs no store', () => {
  it.each([
    ['health', 200],
    ['ready', 200],
    ['openapi.json', 200],
    ['docs', 200],
    ['assets/brand.css', 200],
    ['.well-known/oauth-authorization-server', 200],
  ])('such as /%s is answered near the caller (%i)', async (path, status) => {
    const response = await call(path);
    await response.arrayBuffer();
    expect([response.status, answeredBy(response)]).toEqual([status, 'main']);
  });

  it('such as a page or a token is answered near the directory', async () => {
    const pages = ['', 'account', 'session', 'unknown'].map((path) => call(path));
    const answers = await Promise.all([...pages, call('oauth/token', { method: 'POST' })]);
    expect(answers.map(answeredBy)).toEqual(Array(5).fill('enam'));
  });

  it('such as a preflight is answered near the caller (204)', async () => {
    const headers = { Origin: 'https://a.test', 'Access-Control-Request-Method': 'POST' };
    const response = await call('v2/bench/catalog/brands', { method: 'OPTIONS', headers });
    expect([response.status, answeredBy(response)]).toEqual([204, 'main']);
  });

  it('is part of /ready: each region answers', async () => {
    expect(await (await call('ready')).json()).toMatchObject({
      checks: { region_enam: 'ok', region_weur: 'ok' },
    });
  });

  it('but /ready of a region is answered there (200)', async () => {
    const response = await call('ready?region=weur');
    expect([response.status, answeredBy(response)]).toEqual([200, 'weur']);
    expect(await response.json()).toMatchObject({ status: 'ok', checks: { store_1: 'ok' } });
  });
});

describe('a request that is handed on', () => {
  it('arrives with its method, its headers, its body, the place of the caller and redirects by hand', async () => {
    const headers = { 'X-Custom': 'a, b', Cookie: 'a=1; b=2' };
    const body = new Uint8Array(5_000_000);
    const response = await call('echo', { method: 'PUT', headers, body });
    expect(await response.json()).toMatchObject({
      method: 'PUT',
      redirect: 'manual',
      place: expect.any(String),
      bytes: body.length,
      headers: {
        'x-custom': headers['X-Custom'],
        cookie: headers.Cookie,
        'cf-connecting-ip': '127.0.0.1',
      },
    });
  });

  it('comes back as it was answered: a redirect, cookies, an unchanged record (304), the headers alone (HEAD)', async () => {
    const page = await call('account', { headers: { Accept: 'text/html' } });
    expect(answeredBy(page)).toBe('enam');
    const api = await service.api('POST /catalog/brands', { name: 'Tags', active: true });
    const path = `v2/bench/catalog/brands/${api.body.data.id}`;
    const headers = apiKeyHeadersOf('bench');
    const record = await call(path, { headers });
    const tag = record.headers.get('ETag') ?? '';
    const body = await record.text();
    const same = await call(path, { headers: { ...headers, 'If-None-Match': tag } });
    expect([same.status, same.headers.get('ETag'), await same.text()]).toEqual([304, tag, '']);
    const head = await call(path, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('ETag'), await head.text()]).toEqual([200, tag, '']);
    expect([record, same, head].map(answeredBy)).toEqual(['enam', 'enam', 'enam']);
    expect(body).toContain('Tags');
  });

  it('streams the file of an import', async () => {
    const count = 40_000;
    const line = (index: number) =>
      JSON.stringify({ sku: `S${index}`, quantity: index, note: 'x'.repeat(400) });
    const chunk = (first: number) =>
      Array.from({ length: 1_000 }, (_, index) => `${line(first + index)}\n`).join('');
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === count) return controller.close();
        controller.enqueue(new TextEncoder().encode(chunk(sent)));
        sent += 1_000;
      },
    });
    const response = await call('v2/bench/catalog/imports', {
      method: 'POST',
      headers: { ...apiKeyHeadersOf('bench'), 'Content-Type': 'application/x-ndjson' },
      body,
      duplex: 'half',
    } as RequestInit);
    expect([response.status, answeredBy(response), await response.text()]).toEqual([
      202,
      'enam',
      expect.stringContaining('"id"'),
    ]);
  });
});

describe('a region whose Worker fails', () => {
  const stop = { 'X-Stop': '1' };
  /** Another isolate: what one knows of a region, it keeps. */
  const twin = async () =>
    (await service.runtime.getWorker('twin')) as unknown as { fetch: typeof fetch };
  const brandsUrl = (alias: string) => `${service.url}v2/${alias}/catalog/brands`;
  const create = (name: string, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { ...apiKeyHeadersOf('bench'), ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, active: true }),
  });
  const alerts = () => lines.filter((line) => line.includes('region_unreachable'));

  it('refuses a change, of which nobody knows what it did (503), and the next is made by the Worker near the caller (201)', async () => {
    const response = await call('v2/bench/catalog/brands', create('Unsure', stop));
    expect([response.status, answeredBy(response)]).toEqual([503, 'main']);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ code: 'unavailable', status_code: 503 });
    expect(JSON.parse(alerts()[0] ?? '{}')).toMatchObject({ alert: true, region: 'enam' });
    expect(await answersOf(1, () => call('v2/bench/catalog/brands', create('Sure')))).toEqual([
      '201 main',
    ]);
    expect(await answersOf(1, () => brands('bench'))).toEqual(['200 main']);
  });

  it('is replaced for a read by the Worker near the caller (200)', async () => {
    expect(await answersOf(1, () => brands('lisbon'))).toEqual(['200 weur']);
    expect(await answersOf(1, () => brands('lisbon', stop))).toEqual(['200 main']);
    expect(alerts()).toHaveLength(2);
  });

  it('is replaced when it hangs (200), also for changes that come then (201)', async () => {
    const { fetch: ask } = await twin();
    const headers = { ...apiKeyHeadersOf('bench'), 'X-Hang': '1' };
    expect(await answersOf(1, () => ask(brandsUrl('bench'), { headers }))).toEqual(['200 main']);
    expect(JSON.parse(alerts()[2] ?? '{}')).toMatchObject({ region: 'enam', reason: 'silent' });
    expect(
      await answersOf(2, () => ask(brandsUrl('bench'), create('Hung', { 'X-Hang': '1' }))),
    ).toEqual(['201 main', '422 main']);
  });
});
