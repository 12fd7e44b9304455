import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { requestJob } from '../../../src/data/directory/request-job.ts';
import { abortMove } from '../../../src/stores/move/abort-move.ts';
import { isPurgeable, purgeMove } from '../../../src/stores/move/purge-move.ts';
import { startMove } from '../../../src/stores/move/start-move.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createCompleteStore } from '../../support/fixtures/complete-store.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createSellingStore } from '../../support/fixtures/selling-store.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  dyingBindings,
  finishJob,
  operatorAction,
  readJob,
  sweepJobs,
} from '../../support/jobs.ts';
import { rowsOf, runMoves } from '../../support/move/run-moves.ts';
import { isSlow } from '../../support/slow.ts';
import { upTo } from '../../support/transfers/catalog.ts';

const day = 86_400_000;
const later = Date.now() + day;

/** Begins the move of a job, as a step does that dies then. */
async function beginMove({ id }: { id: number }, storeId: number, now: number) {
  expect(await startMove(env, storeId, 1, { moveId: `job-${id}`, now })).toEqual({ ok: true });
}

await env.DIRECTORY.batch(
  [0, 1].map((shard) =>
    env.DIRECTORY.prepare(`insert into shards (number) values (?) on conflict do nothing`).bind(
      shard,
    ),
  ),
);

const shardOf = ({ id }: { id: number }) =>
  env.DIRECTORY.prepare('select shard from stores where id = ?').bind(id).first<number>('shard');

describe('POST /operator/stores/{id}/moves', () => {
  it('returns 202, and takes the store to the other shard with its data', async () => {
    const operator = await createTestOperator();
    const store = await createTestStore({ shard: 0 });
    const created = await store.api('POST /catalog/brands', { name: 'Marca', active: true });
    const path = `/operator/stores/${store.id}/moves`;
    const started = await operator.api(`POST ${path}`, { shard: 1 });
    expect(started.status).toBe(202);
    const again = await operator.api(`POST ${path}`, { shard: 1 });
    expect(again.body.data.id).toBe(started.body.data.id);
    const ended = await finishJob(await readJob(started.body.data), Date.now());
    expect(ended).toMatchObject({ state: 'done', done: 4, total: 4 });
    expect(await shardOf(store)).toBe(1);
    expect((await store.api(`GET /catalog/brands/${created.body.data.id}`)).status).toBe(200);
    const shown = await operator.api(`GET /operator/jobs/${started.body.data.id}`);
    expect(shown.body.data.result.counts.rows).toBeGreaterThan(0);
  });

  it('returns 422 for a shard that there is not, 409 while it moves elsewhere, and stops when cancelled', async () => {
    const operator = await createTestOperator();
    const store = await createTestStore({ shard: 0 });
    const path = `/operator/stores/${store.id}/moves`;
    const refused = await operator.api(`POST ${path}`, { shard: 77 });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toHaveProperty('shard');
    const started = await operator.api(`POST ${path}`, { shard: 1 });
    const now = Date.now();
    await beginMove(started.body.data, store.id, now);
    await env.DIRECTORY.prepare(`update jobs set progress = '{"toShard":5}' where id = ?`)
      .bind(started.body.data.id)
      .run();
    const elsewhere = await operator.api(`POST ${path}`, { shard: 1 });
    expect(elsewhere.status).toBe(409);
    expect(elsewhere.body).toMatchObject({ code: 'job_under_way' });
    const cancelled = await operator.api(`POST /operator/jobs/${started.body.data.id}/cancel`);
    expect(cancelled.body.data).toMatchObject({ state: 'cancelled' });
    await sweepJobs(0, now + 120_000);
    expect(await shardOf(store)).toBe(0);
    const { status } = await store.api('POST /catalog/brands', { name: 'Marca', active: true });
    expect(status).toBe(201);
  });

  it('returns 202 for a database from 3 to 6 GB, which new stores leave to moves, and 422 for a larger one', async () => {
    const operator = await createTestOperator();
    const store = await createTestStore({ shard: 0 });
    const path = `/operator/stores/${store.id}/moves`;
    const size = (bytes: number) =>
      env.DIRECTORY.prepare('update shards set bytes = ? where number = 1').bind(bytes).run();
    const { results } = await env.DIRECTORY.prepare(
      'select bytes from shards where number = 1',
    ).all<{ bytes: number }>();
    try {
      await size(6_000_000_000);
      const full = await operator.api(`POST ${path}`, { shard: 1 });
      expect([full.status, full.body.errors]).toEqual([422, { shard: ['Shard 1 is full.'] }]);
      await size(5_999_999_999);
      expect((await operator.api(`POST ${path}`, { shard: 1 })).status).toBe(202);
    } finally {
      await size(results[0]?.bytes ?? 0);
    }
  });

  it('returns 409 for a cancellation when the store has moved, and fails when the move is given up', async () => {
    const operator = await createTestOperator();
    const moved = await createTestStore({ shard: 0 });
    const path = `/operator/stores/${moved.id}/moves`;
    const started = await operator.api(`POST ${path}`, { shard: 1 });
    const job = await readJob(started.body.data);
    await beginMove(job, moved.id, later);
    await runMoves(0, later);
    expect(await shardOf(moved)).toBe(1);
    const refused = await operator.api(`POST /operator/jobs/${job.id}/cancel`);
    expect(refused.status).toBe(409);
    expect(await finishJob(job, later + 300_000)).toMatchObject({ state: 'done' });

    const kept = await createTestStore({ shard: 0 });
    const other = await requestJob(operatorAction(later), {
      kind: 'store_move',
      storeId: kept.id,
      toShard: 1,
    });
    await beginMove(other, kept.id, later);
    expect(await abortMove(env, kept.id, { now: later })).toEqual({ ok: true });
    const failed = await finishJob(other, later + 120_000);
    expect(failed).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('by an operator') as string,
    });
  });
});

describe('POST /operator/stores/{id}/moves/{jobId}/purge', () => {
  const rowsIn = (shard: 0 | 1, storeId: number) =>
    env[`STORE_${shard}`]
      .prepare('select count(*) as count from brands where store_id = ?')
      .bind(storeId)
      .first<number>('count');

  it('returns 409 (move_not_done) before the move is done, 422 without a reason, 404 for another store', async () => {
    const operator = await createTestOperator();
    const store = await createTestStore({ shard: 0 });
    const path = `/operator/stores/${store.id}/moves`;
    const { body } = await operator.api(`POST ${path}`, { shard: 1, reason: 'Full' });
    const purge = `POST ${path}/${body.data.id}/purge`;
    const early = await operator.api(purge, { reason: 'Full' });
    expect([early.status, early.body.code]).toEqual([409, 'move_not_done']);
    expect((await operator.api(purge, { reason: '' })).status).toBe(422);
    const other = await createTestStore({ shard: 0 });
    const elsewhere = `POST /operator/stores/${other.id}/moves/${body.data.id}/purge`;
    expect((await operator.api(elsewhere, { reason: 'Full' })).status).toBe(404);
    await operator.api(`POST /operator/jobs/${body.data.id}/cancel`);
    const cancelled = await operator.api(purge, { reason: 'Full' });
    expect([cancelled.status, cancelled.body.code]).toEqual([409, 'move_not_done']);
  });

  it('returns 200 and audits once, and the next sweep deletes the old data only', async () => {
    const operator = await createTestOperator();
    const store = await createTestStore({ shard: 0 });
    const created = await store.api('POST /catalog/brands', { name: 'Marca', active: true });
    const path = `/operator/stores/${store.id}/moves`;
    const { body } = await operator.api(`POST ${path}`, { shard: 1, reason: 'Full' });
    const job = await finishJob(await readJob(body.data), Date.now());
    expect(job.state).toBe('done');
    await sweepJobs(0, Date.now());
    expect([await rowsIn(0, store.id), await rowsIn(1, store.id)]).toEqual([1, 1]);

    const purge = `POST ${path}/${job.id}/purge`;
    const purged = await operator.api(purge, { reason: 'The database is full' });
    expect([purged.status, purged.body.data.state]).toEqual([200, 'done']);
    await sweepJobs(0, Date.now());
    expect([await rowsIn(0, store.id), await rowsIn(1, store.id)]).toEqual([0, 1]);
    expect((await store.api(`GET /catalog/brands/${created.body.data.id}`)).status).toBe(200);

    expect((await operator.api(purge, { reason: 'Again' })).status).toBe(200);
    const { results } = await env.DIRECTORY.prepare(
      `select reason, by_operator from audit where store_id = ? and action = 'store.old_data_purged'`,
    )
      .bind(store.id)
      .all();
    expect(results).toEqual([{ reason: 'The database is full', by_operator: 1 }]);
  });

  it('returns 200 for a move before the last one out of a database, and deletes nothing of the last', async () => {
    const operator = await createTestOperator();
    const store = await createTestStore({ shard: 0 });
    await store.api('POST /catalog/brands', { name: 'Marca', active: true });
    const path = `/operator/stores/${store.id}/moves`;
    const { body } = await operator.api(`POST ${path}`, { shard: 1, reason: 'Full' });
    const job = await finishJob(await readJob(body.data), Date.now());
    expect(job.state).toBe('done');
    /**
     * Names the move that left the old data, as one would that came after the store had been back.
     */
    const nameMove = (name: string) =>
      env.STORE_0.prepare('update outgoing_moves set move_id = ? where store_id = ?')
        .bind(name, store.id)
        .run();
    for (const [name, left] of [
      [`job-${job.id + 1}`, 1],
      [`job-${job.id}`, 0],
    ] as const) {
      await nameMove(name);
      const purged = await operator.api(`POST ${path}/${job.id}/purge`, { reason: 'Full' });
      expect(purged.status).toBe(200);
      await sweepJobs(0, Date.now());
      expect([await rowsIn(0, store.id), await rowsIn(1, store.id)]).toEqual([left, 1]);
    }
  });

  it('has a page beside the move, until the old data are gone', async () => {
    const operator = await createTestOperator();
    const store = await createTestStore({ shard: 0 });
    await store.api('POST /catalog/brands', { name: 'Marca', active: true });
    const page = `/operator/stores/${store.id}`;
    const olga = await new Browser().signIn(operator.userId);
    const { body } = await operator.api(`POST ${page}/moves`, { shard: 1, reason: 'Full' });
    const purge = `${page}/moves/${body.data.id}/purge`;
    expect((await olga.get(page)).html).not.toContain(purge);
    const early = await olga.submit(purge, { reason: 'Full' });
    expect([early.status, early.text]).toEqual([
      409,
      expect.stringContaining('not done') as string,
    ]);
    const job = await finishJob(await readJob(body.data), Date.now());
    expect((await olga.get(page)).html).toContain(`href="${purge}"`);
    expect((await olga.get(purge)).text).toContain('cannot be brought back');
    expect((await olga.submit(purge, { reason: '' })).status).toBe(422);
    const purged = await olga.submit(purge, { reason: 'The database is full' });
    expect([purged.status, purged.location]).toEqual([303, `${page}?done=purgeStoreMove`]);
    await sweepJobs(0, Date.now());
    expect([await rowsIn(0, store.id), await rowsIn(1, store.id)]).toEqual([0, 1]);
    expect((await olga.get(page)).html).not.toContain(purge);
    expect(isPurgeable({ ...job, progress: {} }, job.finished_at! + 31 * day)).toBe(false);
    expect((await olga.submit(`${page}/moves/999999999/purge`, { reason: 'x' })).status).toBe(404);
  });

  it('may die at any call, and deletes nothing that the audit does not have', async () => {
    /**
     * Moves a store, and purges it in a process that dies at a call. Asks again, and returns what
     * is there then.
     */
    async function purgeInTwo(call: number, create = () => createSellingStore({ shard: 0 })) {
      const store = await create();
      const now = Date.now();
      const job = await finishJob(
        await requestJob(operatorAction(now), {
          kind: 'store_move',
          storeId: store.id,
          toShard: 1,
        }),
        now,
      );
      const [old, moved] = [await rowsOf(0, store.id), await rowsOf(1, store.id)];
      const audited = () =>
        env.DIRECTORY.prepare(
          `select count(*) as n from audit where store_id = ? and action = 'store.old_data_purged'`,
        )
          .bind(store.id)
          .first<number>('n');
      const { bindings, calls } = dyingBindings(call);
      const purge = (bound: Env) =>
        purgeMove(
          { ...operatorAction(now), env: bound, directory: openDatabase(bound.DIRECTORY) },
          job,
          'Full',
        );
      await purge(bindings)
        .then(() => sweepJobs(0, now, bindings))
        .catch(() => undefined);
      const left = await rowsOf(0, store.id);
      expect(await rowsOf(1, store.id), `${call}`).toEqual(moved);
      if (JSON.stringify(left) !== JSON.stringify(old)) expect(await audited()).toBe(1);
      await purge(env);
      await sweepJobs(0, now);
      expect(await rowsOf(0, store.id), `${call}`).toEqual({ placements: 1 });
      expect(await rowsOf(1, store.id), `${call}`).toEqual(moved);
      expect(isPurgeable(await readJob(job), now)).toBe(false);
      expect((await store.api('GET /catalog/brands')).status).toBe(200);
      return { calls: calls.count, lines: await audited() };
    }
    const whole = await purgeInTwo(Infinity, () => createCompleteStore('purged', 0));
    expect(whole.calls).toBeGreaterThan(9);
    expect(whole.lines).toBe(1);
    const last = whole.calls;
    // A store with fewer records makes as many calls, which delete from all tables. After the
    // audit, after the mark of the old data, after the job, and at both ends of the deletion.
    const deaths = isSlow ? upTo(last) : [2, 3, 4, last - 1, last];
    for (const call of deaths) {
      const { calls, lines } = await purgeInTwo(call);
      expect(calls).toBeGreaterThanOrEqual(call);
      // Who asks again before the sweep has two lines; nobody has none.
      expect([1, 2], `${call}`).toContain(lines);
    }
  });
});

describe('POST /operator/shards/{number}/drains', () => {
  it('returns 202 and closes the shard; 404 for one that there is not', async () => {
    const operator = await createTestOperator();
    // No database: its sweep never runs.
    await env.DIRECTORY.prepare(
      `insert into shards (number, state) values (77001, 2) on conflict do nothing`,
    ).run();
    const path = '/operator/shards/77001/drains';
    const { status, body } = await operator.api(`POST ${path}`, { reason: 'old' });
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ kind: 'shard_drain', state: 'waiting', shard: 77_001 });
    const closed = await env.DIRECTORY.prepare(
      'select state from shards where number = 77001',
    ).first('state');
    expect(closed).toBe(1);
    for (const unknown of [
      'POST /operator/shards/77002/drains',
      'POST /operator/shards/x/drains',
    ]) {
      expect((await operator.api(unknown, { reason: 'old' })).status).toBeGreaterThanOrEqual(400);
    }
    const missing = await operator.api('POST /operator/shards/77002/drains', { reason: 'old' });
    expect(missing.status).toBe(404);
    await operator.api(`POST /operator/jobs/${body.data.id}/cancel`);
    await env.DIRECTORY.prepare('delete from shards where number = 77001').run();
  });
});
