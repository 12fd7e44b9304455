import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/data/directory/job.ts';
import { cancelJob } from '../../src/ops/jobs/cancel-job.ts';
import { closeStore, reopenStore } from '../../src/stores/close-store.ts';
import { requestErasure } from '../../src/stores/erase-store.ts';
import { createCompleteStore } from '../support/fixtures/complete-store.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { dyingBindings, finishJob, operatorAction, readJob, sweepJobs } from '../support/jobs.ts';
import { sentMails } from '../support/mail.ts';
import { move, rowsOf } from '../support/move/run-moves.ts';
import { isSlow } from '../support/slow.ts';
import { upTo } from '../support/transfers/catalog.ts';

const minute = 60_000;
const day = 86_400_000;
/** A time at which no job of another test is due. */
const later = Date.now() + day;

/** Closes a store long ago, so that its data may be erased. */
const closeLongAgo = ({ id }: TestStore) =>
  env.DIRECTORY.prepare(
    "update stores set active = 0, closed_at = 1, closed_by = 'owner', close_reason = 'Sold.' where id = ?",
  )
    .bind(id)
    .run();

async function startErasure(store: TestStore, now = later) {
  await closeLongAgo(store);
  return requestErasure(operatorAction(now), { storeId: store.id, reason: 'asked for' });
}

/**
 * Remaining data of a store: rows of shards without those that name its tombstone, files, and rows
 * of the directory.
 */
async function leftOf({ id, userId }: TestStore) {
  const shards = await Promise.all([0, 1].map((shard) => rowsOf(shard, id)));
  const files = await Promise.all(
    [
      `evt_${id.toString(16).padStart(14, '0')}`,
      `imports/${id}/`,
      `exports/${id}/`,
      `store-exports/${id}/`,
    ].map(async (prefix) => (await env.ARCHIVE.list({ prefix })).objects.length),
  );
  const directory = await env.DIRECTORY.prepare(
    `select (select count(*) from memberships where store_id = ?1) as members,
      (select count(*) from audit where store_id = ?1 and by_operator = 0 and actor_name <> '') as names`,
  )
    .bind(id)
    .first();
  const rows = shards.map(({ placements: _tombstone, ...rest }) => rest);
  return { rows, files: files.reduce((sum, n) => sum + n, 0), directory, userId };
}

const nothingOf = ({ userId }: TestStore) => ({
  rows: [{}, {}],
  files: 0,
  directory: { members: 0, names: 0 },
  userId,
});

const storeRow = ({ id }: TestStore) =>
  env.DIRECTORY.prepare('select alias, name, active, erased_at, base_url from stores where id = ?')
    .bind(id)
    .first();

describe('the erasure of a store', () => {
  it('leaves nothing but a number, and certifies what there was', async () => {
    const [store, other] = [
      await createCompleteStore('Apagada', 0),
      await createCompleteStore('Outra'),
    ];
    await move(store, 0, 1);
    const before = await rowsOf(1, store.id);
    const othersBefore = await rowsOf(other.shard, other.id);
    const job = await finishJob(await startErasure(store), later + 3 * minute);
    expect(job).toMatchObject({ state: 'done', error: null });
    const { counts } = job.result as { counts: Record<string, number> };
    for (const kind of ['customers', 'orders', 'products', 'carts', 'webhook_events']) {
      expect(counts[kind], kind).toBe(before[kind]);
    }
    expect(counts).toMatchObject({ members: 1, files: expect.any(Number) as number });
    expect(await leftOf(store)).toEqual(nothingOf(store));
    expect(await storeRow(store)).toEqual({
      alias: `erased-${store.id}`,
      name: '',
      base_url: '',
      active: 0,
      erased_at: expect.any(Number) as number,
    });
    expect((await store.api('GET /customers')).status).toBe(403);
    expect(await rowsOf(other.shard, other.id)).toEqual(othersBefore);
    await expect(
      requestErasure(operatorAction(later), { storeId: store.id, reason: 'again' }),
    ).rejects.toMatchObject({ code: 'store_erased' });
  });

  it('ends and counts right, whichever call was the last of its process', async () => {
    const countsAfter = async (call: number) => {
      const store = await createTestStore();
      await store.api('POST /catalog/brands', { name: 'Marca', active: true });
      await store.api('POST /webhooks', {
        url: 'http://127.0.0.1:9/x',
        name: 'w',
        events: ['product.created'],
      });
      await env.ARCHIVE.put(`exports/${store.id}/file`, 'x');
      const job = await startErasure(store);
      const { bindings, calls } = dyingBindings(call);
      await sweepJobs(store.shard, later + 3 * minute, bindings).catch(() => undefined);
      const ended = await finishJob(job, later + 10 * minute);
      expect(ended, `${call}`).toMatchObject({ state: 'done' });
      expect(await leftOf(store), `${call}`).toEqual(nothingOf(store));
      const lines = await env.DIRECTORY.prepare(
        `select count(*) as n from audit where store_id = ? and action = 'store.erased'`,
      )
        .bind(store.id)
        .first<number>('n');
      expect(lines, `${call}`).toBe(1);
      return { counts: ended.result, calls: calls.count };
    };
    const clean = await countsAfter(Infinity);
    expect(clean.counts).toEqual({
      counts: {
        store_notices: 1,
        brands: 1,
        webhook_endpoints: 1,
        webhook_subscriptions: 1,
        store_audit: 1,
        members: 1,
        audit_lines: 1,
        files: 1,
      },
    });
    const { calls } = clean;
    const killed = isSlow ? upTo(calls) : [1, 4, Math.ceil(calls / 2), calls - 4, calls];
    for (const call of killed) {
      expect((await countsAfter(call)).counts, `${call}`).toEqual(clean.counts);
    }
  });

  it('waits for its day, notifies the members a week before, and is cancelled by opening the store', async () => {
    const store = await createTestStore();
    const action = operatorAction(later);
    await closeStore(action, { storeId: store.id, reason: 'sold' });
    const found = await env.DIRECTORY.prepare('select id from jobs where store_id = ?')
      .bind(store.id)
      .first<{ id: number }>();
    const job = await readJob(found ?? { id: 0 });
    const email = await env.DIRECTORY.prepare('select email from users where id = ?')
      .bind(store.userId)
      .first<string>('email');
    const notified = async () => (await sentMails(email ?? '', 'store_closing')).length;
    expect(await notified()).toBe(1);
    await sweepJobs(store.shard, later + 22 * day);
    expect(await notified()).toBe(1);
    await sweepJobs(store.shard, later + 23 * day + minute);
    await sweepJobs(store.shard, later + 24 * day);
    expect(await notified()).toBe(2);
    expect(await readJob(job)).toMatchObject({ state: 'waiting' });
    await reopenStore(operatorAction(later + 25 * day), { storeId: store.id });
    await sweepJobs(store.shard, later + 31 * day);
    expect(await readJob(job)).toMatchObject({ state: 'cancelled' });
    expect(await storeRow(store)).toMatchObject({ active: 1, erased_at: null });
  });

  it('cannot be cancelled once it has begun', async () => {
    const store = await createTestStore();
    const job = await startErasure(store);
    const begun: Job = { ...job, progress: { begunAt: later } };
    await env.DIRECTORY.prepare('update jobs set progress = ? where id = ?')
      .bind(JSON.stringify(begun.progress), job.id)
      .run();
    await expect(cancelJob(operatorAction(later), job)).rejects.toMatchObject({
      code: 'job_irrevocable',
    });
    await expect(cancelJob(operatorAction(later), begun)).rejects.toMatchObject({ status: 409 });
  });
});

describe('POST /operator/stores/{id}/erasures', () => {
  it('returns 202 for a store closed long ago, 422 without a reason, and 409 once it is done', async () => {
    const operator = await createTestOperator();
    const store = await createTestStore();
    const path = `/operator/stores/${store.id}/erasures`;
    await closeLongAgo(store);
    expect((await operator.api(`POST ${path}`, { reason: undefined })).status).toBe(422);
    const { status, body } = await operator.api(`POST ${path}`, { reason: 'asked for' });
    expect(status).toBe(202);
    expect(await storeRow(store)).toMatchObject({ active: 0 });
    expect(body.data).toMatchObject({ kind: 'store_erasure', state: 'waiting' });
    await finishJob(await readJob(body.data), Date.now() + 3 * minute);
    expect((await operator.api(`POST ${path}`, { reason: 'again' })).body).toMatchObject({
      code: 'store_erased',
    });
    const exported = await operator.api(`POST /operator/stores/${store.id}/exports`);
    expect(exported.status).toBe(409);
  });
});
