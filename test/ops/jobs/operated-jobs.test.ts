import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { callApi } from '../../support/api/client.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { addSecondFactor } from '../../support/second-factor.ts';

const reason = 'Asked for by letter';
/** No database: its sweep never runs. */
const shard = 77_009;

let operator: Awaited<ReturnType<typeof createTestOperator>>;
let store: TestStore;

beforeAll(async () => {
  operator = await createTestOperator();
  store = await createTestStore({ shard: 0 });
  await addSecondFactor(store.userId);
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare(
      "insert into store_copies (store_id, name, begun_at, finished_at) values (?, 'x', 1, 2)",
    ).bind(store.id),
    env.DIRECTORY.prepare('insert into shards (number, state) values (?, 2)').bind(shard),
  ]);
});

interface Beginning {
  path: string;
  body: object;
  /** What the job is about, unless it is the store. */
  about?: object;
}

/** How each kind of job begins. */
const kinds: Readonly<Record<string, () => Beginning>> = {
  store_export: () => ({ path: `/operator/stores/${store.id}/exports`, body: {} }),
  store_move: () => ({ path: `/operator/stores/${store.id}/moves`, body: { shard: 1 } }),
  store_restore: () => ({ path: `/operator/stores/${store.id}/restores`, body: { shard: 1 } }),
  immediate_erasure: () => ({
    path: `/operator/stores/${store.id}/erasures`,
    body: { immediately: true },
  }),
  second_factor_removal: () => ({
    path: `/operator/users/${store.userId}/second-factor/removals`,
    body: {},
    about: { store_id: null, user_id: store.userId },
  }),
  shard_drain: () => ({
    path: `/operator/shards/${shard}/drains`,
    body: {},
    about: { store_id: null, user_id: null, shard },
  }),
};

const read = (path: string, headers = {}) =>
  callApi('GET', path, { headers: { ...operator.headers, ...headers } });

const cancel = async (id: number) => operator.api(`POST /operator/jobs/${id}/cancel`);

describe.each(Object.entries(kinds))('the job %s', (kind, begin) => {
  it('is shown (200, 304, 412) where its beginning says (202), cancelled once (200), and not once it has begun (409)', async () => {
    const { path, body, about = { store_id: store.id, user_id: null } } = begin();
    const begun = await operator.api(`POST ${path}`, { ...body, reason });
    const { id } = begun.body.data;
    const address = begun.headers.get('Location') ?? '';
    expect([begun.status, address]).toEqual([202, `/v2/operator/jobs/${id}`]);
    const shown = await read(address);
    expect(shown.body).toMatchObject({ data: { id, kind, state: 'waiting', ...about } });
    const tag = shown.headers.get('ETag') ?? '';
    expect((await read(address, { 'If-None-Match': tag })).status).toBe(304);
    expect((await read(address, { 'If-Match': '"AAAAAAAAAAAAAAAAAAAAAA"' })).status).toBe(412);

    const cancelled = await cancel(id);
    expect([cancelled.status, cancelled.body.data.state]).toEqual([200, 'cancelled']);
    expect((await cancel(id)).body).toEqual(cancelled.body);
    expect((await read(address)).body).toEqual(cancelled.body);

    await env.DIRECTORY.prepare(
      `update jobs set finished_at = null, state = 'running', progress = '{"begunAt":1}' where id = ?`,
    )
      .bind(id)
      .run();
    const refused = await cancel(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'job_irrevocable']);
    await env.DIRECTORY.prepare('delete from jobs where id = ?').bind(id).run();
  });
});

it.each(['test_store_fill', 'shard_copy', 'shard_change'])(
  'shows the job %s (200), which no operator begins or cancels (409)',
  async (kind) => {
    const id = await env.DIRECTORY.prepare(
      'insert into jobs (kind, shard, requested_by, created_at) values (?, ?, 0, 1) returning id',
    )
      .bind(kind, shard)
      .first<number>('id');
    const refused = await cancel(id ?? 0);
    expect([refused.status, refused.body.code]).toEqual([409, 'job_irrevocable']);
    expect((await operator.api(`GET /operator/jobs/${id}`)).body.data).toMatchObject({
      kind,
      state: 'waiting',
      requested_by: null,
    });
    await env.DIRECTORY.prepare('delete from jobs where id = ?').bind(id).run();
  },
);

it('returns 404 for a job that there is not', async () => {
  expect((await operator.api('GET /operator/jobs/999999999')).status).toBe(404);
  expect((await cancel(999_999_999)).status).toBe(404);
});
