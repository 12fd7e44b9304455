import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shardBinding } from '../../../src/data/core/open-database.ts';
import type { Job } from '../../../src/data/directory/job.ts';
import { firstIdOfShard } from '../../../src/data/shards/shard-numbers.ts';
import { cancelJob } from '../../../src/ops/jobs/cancel-job.ts';
import { hashOf } from '../../../src/stores/copies/copies-bucket.ts';
import { manifestKey, partKey, type Manifest } from '../../../src/stores/copies/manifest.ts';
import { packLines, unpackLines } from '../../../src/stores/copies/parts.ts';
import { requestRestore } from '../../../src/stores/restore/request-restore.ts';
import { callWithBindings } from '../../support/api/measure.ts';
import {
  allRowsOf,
  comparableRows,
  copyingEnv,
  copyShard,
  createCopiedStore,
  emptyShard,
  lastCopyOf,
  prepareCopiedShards,
} from '../../support/copies.ts';
import { startBucket } from '../../support/fakes/s3-bucket.ts';
import { createCompleteStore } from '../../support/fixtures/complete-store.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { dyingBindings, operatorAction, readJob, sweepJobs } from '../../support/jobs.ts';
import { move } from '../../support/move/run-moves.ts';
import { isSlow } from '../../support/slow.ts';

const day = 86_400_000;
const start = Date.now() + 1000 * day;

let stores: TestStore[] = [];
let bucket: ReturnType<typeof startBucket>;
const objects = new Map<string, Uint8Array>();

const homeOf = async ({ id }: Pick<TestStore, 'id'>) =>
  (await env.DIRECTORY.prepare('select shard from stores where id = ?')
    .bind(id)
    .first('shard')) as number;

const actionAt = (now: number, bindings: Env = copyingEnv) => ({
  ...operatorAction(now),
  env: bindings,
});

/** Sweeps a shard until a job has ended. */
async function finish(job: Job, now: number, bindings: Env = copyingEnv): Promise<Job> {
  for (let round = 0; round < 20; round += 1) {
    await sweepJobs(job.shard, now + round * 120_000, bindings);
    const found = await readJob(job);
    if (found.finished_at !== null) return found;
  }
  return readJob(job);
}

const importInto = (
  { id }: Pick<TestStore, 'id'>,
  toShard: number,
  now: number,
  bindings: Env = copyingEnv,
) =>
  requestRestore(actionAt(now, bindings), {
    storeId: id,
    toShard,
    reason: 'A shard is lost',
    before: null,
  });

const rowsIn = (shard: number, { id }: Pick<TestStore, 'id'>) =>
  allRowsOf(shardBinding(copyingEnv, shard), id);

const stateIn = (shard: number, { id }: Pick<TestStore, 'id'>) =>
  shardBinding(copyingEnv, shard)
    .prepare('select state from placements where store_id = ?')
    .bind(id)
    .first<number>('state');

beforeAll(async () => {
  await prepareCopiedShards();
  const complete = await createCompleteStore('Perdida', 1);
  await move(complete, 1, 40, { bindings: copyingEnv });
  stores = [complete, await createCopiedStore(), await createCopiedStore()];
  using first = startBucket();
  await copyShard(40, start);
  for (const [key, content] of first.objects) objects.set(key, content);
});

beforeEach(() => {
  bucket = startBucket();
  for (const [key, content] of objects) bucket.objects.set(key, content);
});

afterEach(() => bucket[Symbol.dispose]());

describe('a shard that is lost', () => {
  it('has all its stores in another one again as they were in the night, and lacks what came after', async () => {
    const before = await Promise.all(stores.map(async (store) => rowsIn(40, store)));
    // Lost with the shard: an order of the morning.
    const late = await callWithBindings(
      stores[2]!,
      'POST /catalog/brands',
      { name: 'Da manhã', active: true },
      copyingEnv,
    );
    expect(late.status).toBe(201);
    const lost = { ...copyingEnv, RESTORING_SHARDS: '40' } as unknown as Env;
    let missing = 0;
    for (const [index, store] of stores.entries()) {
      const job = await importInto(store, 41, start + day, lost);
      const ended = await finish(job, start + day, lost);
      const rows = Object.values(before[index]!).reduce((sum, all) => sum + all.length, 0);
      expect(ended).toMatchObject({ state: 'done', result: { counts: { rows, dropped: 0 } } });
      expect(await homeOf(store)).toBe(41);
      expect(await stateIn(41, store)).toBe(0);
      expect(comparableRows(await rowsIn(41, store))).toEqual(comparableRows(before[index]!));
      const now = await rowsIn(40, store);
      for (const [table, all] of Object.entries(now)) {
        missing += all.length - (before[index]![table]?.length ?? 0);
      }
    }
    // The recovery point: exactly what was written after the copy.
    expect(missing).toBeGreaterThan(0);
    const listed = await callWithBindings(stores[1]!, 'GET /catalog/brands', undefined, lost);
    expect([listed.status, listed.body.data.length]).toEqual([200, 1]);
    const added = await callWithBindings(
      stores[1]!,
      'POST /catalog/brands',
      { name: 'De novo', active: true },
      lost,
    );
    expect(added.status).toBe(201);
    // The receivers of webhooks see that the history broke.
    const epochs = env.COPIED_1.prepare(
      'select min(epoch) as least from webhook_endpoints where store_id = ?',
    );
    expect(await epochs.bind(stores[0]!.id).first('least')).toBeGreaterThan(1e9);
  });

  it('comes back under its own number in a new database, which gives out no id of the lost one', async () => {
    const [store] = stores;
    await emptyShard(env.COPIED_0, 40);
    await env.DIRECTORY.prepare('update stores set shard = 40 where id = ?').bind(store!.id).run();
    await env.COPIED_1.prepare('delete from placements where store_id = ?').bind(store!.id).run();
    const ended = await finish(await importInto(store!, 40, start + 2 * day), start + 2 * day);
    expect(ended).toMatchObject({ state: 'done' });
    const added = await callWithBindings(
      store!,
      'POST /catalog/brands',
      { name: 'Nova', active: true },
      copyingEnv,
    );
    expect(added.status).toBe(201);
    expect(added.body.data.id).toBeGreaterThan(firstIdOfShard(65_536));
    await expect(importInto(store!, 40, start + 2 * day)).rejects.toMatchObject({
      errors: { shard: ['The store is in shard 40.'] },
    });
  });
});

describe('one store as it was last night', () => {
  it('leaves its shard, which forwards, and keeps its old data there for 30 days', async () => {
    const [, , store] = stores;
    const from = await homeOf(store!);
    const worse = { name: 'Errada', active: true };
    const damaged = await callWithBindings(store!, 'POST /catalog/brands', worse, copyingEnv);
    expect(damaged.status).toBe(201);
    const ended = await finish(await importInto(store!, 42, start + 3 * day), start + 3 * day);
    expect(ended).toMatchObject({ state: 'done' });
    expect([await stateIn(from, store!), await stateIn(42, store!)]).toEqual([2, 0]);
    expect(Object.keys(await rowsIn(from, store!)).length).toBeGreaterThan(0);
    await sweepJobs(from, start + 34 * day, copyingEnv);
    expect(Object.keys(await rowsIn(from, store!))).toEqual([]);
  });

  it('is in one place, and whole, whichever call was the last of its process', async () => {
    const [store] = stores;
    const copied = comparableRows(await lastCopyOf(bucket.objects, store!.id));
    let at = start + 40 * day;
    const once = async (last: number, lastRequest = Infinity) => {
      at += day;
      const from = await homeOf(store!);
      const to = from === 41 ? 42 : 41;
      const job = await importInto(store!, to, at);
      const { bindings, calls } = dyingBindings(last, copyingEnv);
      bucket.dies.after = lastRequest;
      await sweepJobs(to, at, bindings).catch(() => undefined);
      bucket.dies.after = Infinity;
      const ended = await finish(job, at + 600_000);
      expect(ended, `${last}`).toMatchObject({ state: 'done' });
      expect(await homeOf(store!), `${last}`).toBe(to);
      expect([await stateIn(from, store!), await stateIn(to, store!)], `${last}`).toEqual([2, 0]);
      expect(comparableRows(await rowsIn(to, store!)), `${last}`).toEqual(copied);
      return calls.count;
    };
    const calls = await once(Infinity);
    expect(calls).toBeGreaterThan(15);
    const all = Array.from({ length: calls }, (_, index) => index + 1);
    const some = [calls - 6, calls - 3];
    for (const last of isSlow ? all : some) await once(last);
    for (const request of isSlow ? [0, 1, 2] : [1]) await once(Infinity, request);
  });

  it('stays as it is when the import is cancelled, and the new shard forgets what was written', async () => {
    const [store] = stores;
    const from = await homeOf(store!);
    const to = from === 41 ? 42 : 41;
    const at = start + 300 * day;
    const job = await importInto(store!, to, at);
    // It dies when all rows are there.
    const { bindings, calls } = dyingBindings(Infinity, copyingEnv);
    bucket.dies.after = 1;
    await sweepJobs(to, at, bindings).catch(() => undefined);
    bucket.dies.after = Infinity;
    expect(calls.count).toBeGreaterThan(3);
    await cancelJob(actionAt(at), await readJob(job));
    await sweepJobs(to, at + 60_000, copyingEnv);
    expect(await rowsIn(to, store!)).toEqual({});
    expect([await homeOf(store!), await stateIn(from, store!)]).toEqual([from, 0]);
    const incoming = shardBinding(copyingEnv, to).prepare(
      'select count(*) as n from incoming_moves',
    );
    expect(await incoming.first('n')).toBe(0);
  });
});

describe('a copy that is not whole', () => {
  const at = start + 400 * day;
  const change = async (storeId: number, edit: (manifest: Manifest) => unknown) => {
    const row = await env.DIRECTORY.prepare(
      'select id, name from store_copies where store_id = ? order by id desc limit 1',
    )
      .bind(storeId)
      .first<{ id: number; name: string }>();
    const key = manifestKey(storeId, row!.name);
    const text = new TextDecoder().decode(bucket.objects.get(key));
    const content = new TextEncoder().encode(JSON.stringify(edit(JSON.parse(text) as Manifest)));
    bucket.objects.set(key, content);
    const hash = await hashOf(content);
    const sign = async () =>
      env.DIRECTORY.prepare('update store_copies set manifest_hash = ? where id = ?')
        .bind(hash, row!.id)
        .run();
    return { key, name: row!.name, sign };
  };

  const errorOf = async (store: TestStore, moment: number) => {
    const to = (await homeOf(store)) === 41 ? 42 : 41;
    const ended = await finish(await importInto(store, to, moment), moment);
    await sweepJobs(to, moment + day / 2, copyingEnv);
    expect(await rowsIn(to, store)).toEqual({});
    expect(ended.state).toBe('failed');
    return ended.error;
  };

  it('is refused with what is wrong, and so is one of another version or of another hand', async () => {
    const [store] = stores;
    const { key, name, sign } = await change(store!.id, (manifest) => ({ ...manifest, rows: 1 }));
    if (isSlow) {
      expect(await errorOf(store!, at)).toBe(
        'The manifest of the copy is not the one that was written.',
      );
    }
    await sign();
    const newer = await change(store!.id, (manifest) => ({ ...manifest, version: 2 }));
    await newer.sign();
    expect(await errorOf(store!, at + day)).toBe('The copy has version 2; this release reads 1.');
    const older = await change(store!.id, (manifest) => ({ ...manifest, version: 1 }));
    await older.sign();
    const part = partKey(store!.id, name, 0);
    const content = bucket.objects.get(part)!;
    bucket.objects.set(part, content.slice(0, -1));
    expect(await errorOf(store!, at + 2 * day)).toBe('Part 0 of the copy is not what was written.');
    bucket.objects.delete(part);
    if (isSlow) {
      expect(await errorOf(store!, at + 3 * day)).toBe('The copy is not whole: it has no part 0.');
    }
    bucket.objects.delete(key);
    expect(await errorOf(store!, at + 4 * day)).toBe('The copy is not whole: it has no manifest.');
  });

  it('loses rows whose records are missing, and says how many', async () => {
    const [store] = stores;
    const { name } = await change(store!.id, (manifest) => manifest);
    const key = partKey(store!.id, name, 0);
    const lines = await unpackLines(bucket.objects.get(key)!);
    const kept = lines.filter(({ table }) => table !== 'customers');
    const content = await packLines(kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
    bucket.objects.set(key, content);
    const part = { sha256: await hashOf(content), bytes: content.length };
    const torn = async (consistent: boolean) => {
      const { sign } = await change(store!.id, (manifest) => ({
        ...manifest,
        version: 1,
        consistent,
        parts: [{ ...manifest.parts[0]!, ...part }],
      }));
      await sign();
    };
    await torn(true);
    expect(await errorOf(store!, at + 5 * day)).toMatch(/^Rows of \w+ are missing\.$/);
    await torn(false);
    const to = (await homeOf(store!)) === 41 ? 42 : 41;
    const ended = await finish(await importInto(store!, to, at + 6 * day), at + 6 * day);
    expect(ended.state).toBe('done');
    const { counts } = ended.result as { counts: { rows: number; dropped: number } };
    const rows = await rowsIn(to, store!);
    expect(rows['customers']).toBeUndefined();
    expect(rows['addresses']).toBeUndefined();
    expect(counts.dropped).toBeGreaterThan(1);
    const { results } = await shardBinding(copyingEnv, to)
      .prepare('pragma foreign_key_check')
      .all();
    expect(results).toEqual([]);
  });
});

describe('POST /operator/stores/{id}/restores', () => {
  it('returns 202 with the job, 409 for another place, 422 without a copy or a shard, 404 without a store', async () => {
    const operator = await createTestOperator();
    const store = await createTestStore({ shard: 0 });
    const path = `/operator/stores/${store.id}/restores`;
    const body = { shard: 1, reason: 'Its data are lost' };
    const none = await operator.api(`POST ${path}`, body);
    expect([none.status, Object.keys(none.body.errors)]).toEqual([422, ['before']]);
    expect((await operator.api('POST /operator/stores/999999999/restores', body)).status).toBe(404);
    await env.DIRECTORY.prepare(
      `insert into store_copies (store_id, name, begun_at, finished_at) values (?1, 'x', 1, 2), (?1, 'y', 3, null)`,
    )
      .bind(store.id)
      .run();
    const wrong = await operator.api(`POST ${path}`, { ...body, shard: 77 });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['shard']]);
    const early = { ...body, before: '1969-12-31 00:00:00' };
    expect((await operator.api(`POST ${path}`, early)).status).toBe(422);
    const started = await operator.api(`POST ${path}`, body);
    expect(started.status).toBe(202);
    expect(started.body.data).toMatchObject({ kind: 'store_restore', state: 'waiting' });
    const again = await operator.api(`POST ${path}`, body);
    expect(again.body.data.id).toBe(started.body.data.id);
    await env.DIRECTORY.prepare(`update jobs set progress = '{"toShard":5}' where id = ?`)
      .bind(started.body.data.id)
      .run();
    expect((await operator.api(`POST ${path}`, body)).status).toBe(409);
    await operator.api(`POST /operator/jobs/${started.body.data.id}/cancel`);
  });
});
