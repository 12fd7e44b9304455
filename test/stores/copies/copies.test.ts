import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { runJobs } from '../../../src/ops/jobs/run-jobs.ts';
import { beginCopies } from '../../../src/stores/copies/begin-copies.ts';
import { eraseCopies, parseManifest } from '../../../src/stores/copies/manifest.ts';
import { unpackLines } from '../../../src/stores/copies/parts.ts';
import { nextNight } from '../../../src/stores/copies/run-copies.ts';
import {
  allRowsOf,
  copyingEnv,
  createCopiedStore,
  lastJob,
  prepareCopiedShards,
} from '../../support/copies.ts';
import { startBucket } from '../../support/fakes/s3-bucket.ts';
import type { TestStore } from '../../support/fixtures/store.ts';
import { isSlow } from '../../support/slow.ts';

const day = 86_400_000;
const shard = 40;
/** The first minute of an hour of its own at which the shard looks whether it has a job. */
const start = Math.floor(Date.now() / 3_600_000) * 3_600_000 + shard * 60_000;

const stores: TestStore[] = [];
let bucket: ReturnType<typeof startBucket>;

const contextOf = (now: number, bindings: Env = copyingEnv) => ({
  env: bindings,
  shard,
  db: env.COPIED_0,
  now: () => now,
  hasTime: () => true,
});

const night = async (now: number, bindings?: Env) => void (await runJobs(contextOf(now, bindings)));

beforeAll(async () => {
  await prepareCopiedShards();
  for (let n = 0; n < 3; n += 1) stores.push(await createCopiedStore());
});

beforeEach(() => {
  bucket = startBucket();
});

afterEach(() => bucket[Symbol.dispose]());

const manifestsOf = (storeId: number) =>
  [...bucket.objects]
    .filter(([key]) => key.startsWith(`stores/${storeId}/`) && key.endsWith('/manifest.json'))
    .map(([key, content]) => ({ key, ...parseManifest(new TextDecoder().decode(content)) }));

/** The rows of a copy, by table. */
async function rowsOfCopy({ key, parts }: ReturnType<typeof manifestsOf>[number]) {
  const all: Record<string, unknown[]> = {};
  for (const index of parts.keys()) {
    const content = bucket.objects.get(key.replace('manifest.json', `${index}.ndjson.gz`));
    for (const { table, rows } of await unpackLines(content ?? new Uint8Array())) {
      all[table] = [...(all[table] ?? []), ...rows];
    }
  }
  return all;
}

/** All that the bucket holds: manifests, and parts after their decompression. */
async function textOfBucket(): Promise<string> {
  const texts = [...bucket.objects].map(([key, content]) => {
    const { body } = new Response(content);
    const isPacked = key.endsWith('.gz') && body;
    return new Response(
      isPacked ? body.pipeThrough(new DecompressionStream('gzip')) : content,
    ).text();
  });
  return (await Promise.all(texts)).join('\n');
}

/** Whether each copy with a manifest has all its parts: what else may be there is no copy. */
const areWhole = (storeId: number) =>
  manifestsOf(storeId).every(({ key, parts }) =>
    parts.every((_part, index) =>
      bucket.objects.has(key.replace('manifest.json', `${index}.ndjson.gz`)),
    ),
  );

/** Changes a store, so that the next night copies it. */
const changeStore = ({ id }: TestStore, name: string) =>
  env.COPIED_0.prepare('update brands set name = ?2 where store_id = ?1').bind(id, name).run();

const countRecorded = (storeId: number) =>
  env.DIRECTORY.prepare('select count(*) as n from store_copies where store_id = ?')
    .bind(storeId)
    .first<number>('n');

describe('the copies of a shard', () => {
  it('are made by a job that the sweep begins, hold every row, and are not made again unless a store has changed', async () => {
    await beginCopies(contextOf(start));
    await beginCopies(contextOf(start));
    await night(start);
    expect(await lastJob('shard_copy', shard)).toMatchObject({
      state: 'waiting',
      due_at: nextNight(shard, start),
      done: 3,
      progress: { lastNight: { copied: 3, unchanged: 0 } },
    });
    for (const store of stores) {
      const [manifest] = manifestsOf(store.id);
      expect(manifest).toMatchObject({ consistent: true, shard, epoch: 0 });
      expect(await rowsOfCopy(manifest!)).toEqual(await allRowsOf(env.COPIED_0, store.id));
      expect(manifest!.directory['members']).toEqual([
        expect.objectContaining({ id: store.userId, role: 'owner' }),
      ]);
    }
    // No secret of the directory is there as it is used.
    const copied = await textOfBucket();
    const secrets = stores.map(({ headers }) => headers['User-Secret-Key'] ?? '');
    for (const secret of secrets) expect(copied.includes(secret)).toBe(false);
    // One that is a name is found: the search sees what the parts hold.
    await changeStore(stores[0]!, secrets[0]!);
    await night(nextNight(shard, start));
    expect((await textOfBucket()).includes(secrets[0]!)).toBe(true);
    expect(stores.map(({ id }) => manifestsOf(id).length)).toEqual([2, 1, 1]);
    expect((await lastJob('shard_copy', shard)).progress).toMatchObject({
      lastNight: { copied: 1, unchanged: 2 },
    });
  });

  it('keep an older one for 30 days after its successor, and the last one for ever', async () => {
    const { id } = stores[1]!;
    const answer = (key: string) =>
      env.COPIED_0.prepare(
        `insert into idempotency_keys (store_id, key, fingerprint, changes_before, created_at) values (?, ?, '', 0, 0)`,
      )
        .bind(id, key)
        .run();
    const at = start + 10 * day;
    for (const [nights, key] of [
      [0, 'Um'],
      [1, 'Dois'],
    ] as const) {
      await answer(key);
      await night(at + nights * day);
    }
    expect(manifestsOf(id)).toHaveLength(2);
    await night(at + 29 * day);
    expect(manifestsOf(id)).toHaveLength(2);
    await night(at + 40 * day);
    expect(manifestsOf(id)).toHaveLength(1);
    expect(await rowsOfCopy(manifestsOf(id)[0]!)).toEqual(await allRowsOf(env.COPIED_0, id));
  });

  it('are whole whichever request of a night was the last of its process, and nothing of a half one stays', async () => {
    let at = start + 100 * day;
    let requests = 0;
    for (let last = 0; last <= requests + 1; last += last > 0 && !isSlow ? 2 : 1) {
      at += 2 * day;
      await env.COPIED_0.prepare(`update brands set name = ?2 where store_id = ?1`)
        .bind(stores[0]!.id, `Nome ${last}`)
        .run();
      const before = bucket.state.requests;
      if (last > 0) bucket.dies.after = last - 1;
      await night(at);
      bucket.dies.after = Infinity;
      if (last === 0) requests = bucket.state.requests - before;
      await night(at + 7_200_000);
      const [newest] = manifestsOf(stores[0]!.id).toSorted((a, b) => b.finished_at - a.finished_at);
      expect(await rowsOfCopy(newest!), `${last}`).toEqual(
        await allRowsOf(env.COPIED_0, stores[0]!.id),
      );
      expect((await lastJob('shard_copy', shard)).state, `${last}`).toBe('waiting');
    }
    expect(requests).toBeGreaterThan(1);
    await night(at + 40 * day);
    const whole = new Set(manifestsOf(stores[0]!.id).map(({ key }) => key.split('/')[2]));
    const all = [...bucket.objects.keys()].filter((key) =>
      key.startsWith(`stores/${stores[0]!.id}/`),
    );
    expect(new Set(all.map((key) => key.split('/')[2]))).toEqual(whole);
  });

  it('go with the store that is erased, and none comes after the erasure has begun', async () => {
    const { id } = stores[2]!;
    const at = start + 300 * day;
    const change = (key: string) =>
      env.COPIED_0.prepare(
        `insert into idempotency_keys (store_id, key, fingerprint, changes_before, created_at) values (?, ?, '', 0, 0)`,
      )
        .bind(id, key)
        .run();
    await change('Antes');
    await night(at);
    expect(manifestsOf(id)).toHaveLength(1);
    await change('Depois');
    // An erasure fences the store and deletes its copies while a copy is stored.
    bucket.state.afterwards = async () => {
      bucket.state.afterwards = async () => undefined;
      await env.COPIED_0.prepare('update placements set state = 3 where store_id = ?')
        .bind(id)
        .run();
      expect(await eraseCopies(copyingEnv, id, () => true)).toBe(true);
    };
    await night(at + day);
    expect([...bucket.objects.keys()].filter((key) => key.startsWith(`stores/${id}/`))).toEqual([]);
    const left = env.DIRECTORY.prepare('select count(*) as n from store_copies where store_id = ?');
    expect(await left.bind(id).first('n')).toBe(0);
    expect(await left.bind(stores[0]!.id).first('n')).toBeGreaterThan(0);
    await env.COPIED_0.prepare('update placements set state = 0 where store_id = ?').bind(id).run();
  });

  it('have no manifest without their parts, whichever request stores or deletes the last object', async () => {
    const store = stores[1]!;
    let at = start + 500 * day;
    /** Stores a copy, and a later one; a month after that, the first one is deleted. */
    for (let last = 0; last < 3; last += 1) {
      await changeStore(store, `Antes ${last}`);
      bucket.dies.after = last;
      await night(at);
      expect(areWhole(store.id), `stored, ${last}`).toBe(true);
      bucket.dies.after = Infinity;
      await night(at + 2 * 3_600_000);
      await changeStore(store, `Depois ${last}`);
      await night(at + 2 * day);
      const copies = manifestsOf(store.id).length;
      bucket.dies.after = last;
      await night(at + 40 * day);
      expect(areWhole(store.id), `deleted, ${last}`).toBe(true);
      bucket.dies.after = Infinity;
      await night(at + 40 * day + 2 * 3_600_000);
      expect(manifestsOf(store.id).length, `${last}`).toBeLessThan(copies);
      at += 100 * day;
    }
  });

  it('are not of a store that left and came back while it was read', async () => {
    const store = stores[1]!;
    const at = start + 900 * day;
    await night(at - day);
    await changeStore(store, 'De volta');
    const [stored, recorded] = [manifestsOf(store.id).length, await countRecorded(store.id)];
    bucket.state.afterwards = async () => {
      bucket.state.afterwards = async () => undefined;
      await env.COPIED_0.prepare('update placements set epoch = epoch + 2 where store_id = ?')
        .bind(store.id)
        .run();
    };
    await night(at);
    expect(manifestsOf(store.id)).toHaveLength(stored);
    expect(await countRecorded(store.id)).toBe(recorded);
    await night(at + day);
    expect(manifestsOf(store.id)).toHaveLength(stored + 1);
  });

  it('wait while there is no bucket, and none counts as stored', async () => {
    const store = stores[1]!;
    const at = start + 1_000 * day;
    await night(at - day);
    await changeStore(store, 'Sem lugar');
    bucket.state.isGone = true;
    await night(at);
    expect(await lastJob('shard_copy', shard)).toMatchObject({
      state: 'running',
      error: 'will_be_tried_again',
    });
    bucket.state.isGone = false;
    await night(at + 2 * 3_600_000);
    expect(manifestsOf(store.id)).toHaveLength(1);
  });

  it('end with the setting, and wait while the bucket refuses the signature', async () => {
    bucket.state.secret = 'another secret of the account';
    const at = start + 1_100 * day;
    await env.COPIED_0.prepare(`update brands set name = 'Assinada' where store_id = ?`)
      .bind(stores[0]!.id)
      .run();
    await night(at);
    expect(await lastJob('shard_copy', shard)).toMatchObject({
      state: 'running',
      error: 'will_be_tried_again',
    });
    expect(bucket.objects.size).toBe(0);
    await night(at + day, { ...copyingEnv, COPIES_URL: '' } as unknown as Env);
    expect(await lastJob('shard_copy', shard)).toMatchObject({ state: 'cancelled' });
    await beginCopies(contextOf(start, { ...copyingEnv, COPIES_URL: '' } as unknown as Env));
    expect((await lastJob('shard_copy', shard)).state).toBe('cancelled');
  });
});
