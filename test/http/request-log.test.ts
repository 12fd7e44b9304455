import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callWithBindings } from '../support/api/measure.ts';
import { failingDatabase } from '../support/fakes/failing-database.ts';
import { fakeDatabase } from '../support/fakes/fake-database.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { connectApp } from '../support/oauth/partner.ts';
import '../support/fixtures/first-shard.ts';

const lines: string[] = [];

function listen() {
  for (const level of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
  }
}

afterEach(() => {
  vi.restoreAllMocks();
  lines.length = 0;
});

describe('the log', () => {
  it('has one line of JSON per request, with request id, operation and status', async () => {
    const testStore = await createTestStore();
    listen();
    const response = await callWithBindings(testStore, 'GET /catalog/brands?name=x', undefined, {});
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toEqual({
      level: 'info',
      event: 'request',
      request_id: response.headers.get('X-Request-Id'),
      method: 'GET',
      operation: 'listBrands',
      status: 200,
      ms: expect.any(Number),
      store: testStore.id,
      api_key: expect.any(Number),
      rows: expect.any(Number),
      shard: 0,
      sql_ms: expect.any(Number),
      wait_ms: expect.any(Number),
    });
  });

  it('has a line of one in so many usual reads, and of every other request', async () => {
    const testStore = await createTestStore();
    listen();
    const random = vi.spyOn(Math, 'random');
    const logged = async (request: string, chance: number, body?: object) => {
      random.mockReturnValue(chance);
      lines.length = 0;
      const { status } = await callWithBindings(testStore, request, body, {
        READS_PER_LOG_LINE: String(10),
      } as Partial<Env>);
      return [status, ...lines.map((line) => JSON.parse(line).sampled)];
    };
    expect(await logged('GET /catalog/brands', 0.0999)).toEqual([200, 10]);
    expect(await logged('GET /catalog/brands', 0.1)).toEqual([200]);
    expect(await logged('GET /catalog/brands/999999999', 0.1)).toEqual([404, undefined]);
    expect(await logged('POST /catalog/brands', 0.1, { name: 'Sol', active: true })).toEqual([
      201,
      undefined,
    ]);
  });

  it('names the client of a token and the store', async () => {
    const testStore = await createTestStore();
    const { app, headers } = await connectApp(testStore);
    listen();
    await callWithBindings({ ...testStore, headers }, 'GET /catalog/brands', undefined, {});
    const line = JSON.parse(lines[0]!);
    expect(line).toMatchObject({ store: testStore.id, client: app.client_id });
    expect(line).not.toHaveProperty('api_key');
  });

  it('has a data point for each line, with shard, failure and times of the database', async () => {
    const testStore = await createTestStore();
    listen();
    const points: AnalyticsEngineDataPoint[] = [];
    const METRICS = { writeDataPoint: (point = {}) => void points.push(point) };
    vi.spyOn(Math, 'random').mockReturnValue(0.05);
    const READS_PER_LOG_LINE = '10';
    const sampled = { METRICS, READS_PER_LOG_LINE } as unknown as Partial<Env>;
    await callWithBindings(testStore, 'GET /catalog/brands', undefined, sampled);
    const { database } = failingDatabase(env.STORE_0, 'Exceeded maximum DB size.');
    const bindings = { METRICS, STORE_0: database };
    await callWithBindings(testStore, 'GET /catalog/brands', undefined, bindings);
    const any = expect.any(Number);
    expect(points).toEqual([
      {
        indexes: ['request'],
        blobs: [expect.any(String), 'listBrands', '', '0', '', 'GET'],
        doubles: [200, any, 25_000, any, 10, any, any],
      },
      {
        indexes: ['request'],
        blobs: [expect.any(String), 'listBrands', 'full', '0', '', 'GET'],
        doubles: [503, 0, 25_000, any, 1, 0, any],
      },
    ]);
    lines.length = 0;
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    await callWithBindings(testStore, 'GET /catalog/brands', undefined, sampled);
    expect([points.length, lines.length]).toEqual([2, 0]);
  });

  it('has no credentials, signing secrets, bodies or queries', async () => {
    const testStore = await createTestStore();
    listen();
    const url = 'https://receiver.example.com/very-private-path?key=hidden';
    const body = { url, name: 'Nome Pessoal', events: ['order.paid'] };
    const created = await callWithBindings(testStore, 'POST /webhooks', body, {});
    await callWithBindings(testStore, 'POST /webhooks', { ...body, events: ['Segredo'] }, {});
    await callWithBindings(testStore, 'GET /catalog/brands?name=Busca', undefined, {});
    const broken = fakeDatabase({ prepare: () => null, batch: () => null });
    await callWithBindings(testStore, 'POST /webhooks', body, { STORE_0: broken });
    const text = lines.join('\n');
    expect(text).toContain('request_failed');
    const secrets = [
      ...Object.values(testStore.headers),
      created.body.data.secret_key,
      'very-private-path',
      'hidden',
      'Nome Pessoal',
      'Segredo',
      'Busca',
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});
