import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { runJobs } from '../../../src/ops/jobs/run-jobs.ts';
import { manifestKey, parseManifest } from '../../../src/stores/copies/manifest.ts';
import { requestRestore } from '../../../src/stores/restore/request-restore.ts';
import {
  allRowsOf,
  comparableRows,
  copyingEnv,
  copyShard,
  createCopiedStore,
  lastCopyOf,
  lastJob,
  prepareCopiedShards,
} from '../../support/copies.ts';
import { startBucket } from '../../support/fakes/s3-bucket.ts';
import type { TestStore } from '../../support/fixtures/store.ts';
import { operatorAction, readJob, sweepJobs } from '../../support/jobs.ts';
import { upTo } from '../../support/transfers/catalog.ts';

const day = 86_400_000;
const start = Date.now() + 3000 * day;

beforeAll(prepareCopiedShards);

/** Adds rows of a length to a store. */
const fill = (storeId: number, rows: number, length: number) =>
  env.COPIED_0.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
      insert into idempotency_keys (store_id, key, fingerprint, changes_before, created_at, response)
      select ?1, printf('%05d', i), '', 0, 0, printf('%.*c', ?3, 'x') || i from n`,
  )
    .bind(storeId, rows, length)
    .run();

describe('a shard with a hundred stores that is lost', () => {
  it('has all of them in another one again, table by table, with what was there in the night', async () => {
    using bucket = startBucket();
    const stores: TestStore[] = [];
    for (const _ of upTo(100)) stores.push(await createCopiedStore());
    for (const store of stores) await fill(store.id, 100, 200);
    const began = performance.now();
    await copyShard(40, start);
    const copied = performance.now();
    const before = new Map<number, Awaited<ReturnType<typeof allRowsOf>>>();
    for (const { id } of stores) before.set(id, await allRowsOf(env.COPIED_0, id));
    await env.COPIED_0.prepare(
      `update idempotency_keys set fingerprint = 'later' where store_id = ? and key <= '00007'`,
    )
      .bind(stores[0]!.id)
      .run();
    const lost = { ...copyingEnv, RESTORING_SHARDS: '40' } as unknown as Env;
    const action = { ...operatorAction(start + day), env: lost };
    const imported = performance.now();
    const jobs = [];
    for (const { id: storeId } of stores) {
      const request = { storeId, toShard: 41, reason: 'drill', before: null };
      jobs.push(await requestRestore(action, request));
    }
    for (let round = 0; round < 300; round += 1) {
      await sweepJobs(41, start + day + round * 60_000, lost);
      if ((await readJob(jobs.at(-1)!)).finished_at !== null) break;
    }
    const ended = performance.now();
    let changed = 0;
    for (const [index, { id }] of stores.entries()) {
      expect(await readJob(jobs[index]!)).toMatchObject({ state: 'done' });
      const rows = await allRowsOf(env.COPIED_1, id);
      expect(comparableRows(rows)).toEqual(comparableRows(before.get(id)!));
      const old = JSON.stringify((await allRowsOf(env.COPIED_0, id))['idempotency_keys']);
      if (old !== JSON.stringify(rows['idempotency_keys'])) changed += 1;
    }
    // The recovery point: the one store that changed after the copy.
    expect(changed).toBe(1);
    const homes = env.DIRECTORY.prepare(
      'select count(*) as n from stores where shard = 41 and id in (select value from json_each(?))',
    );
    expect(await homes.bind(JSON.stringify(stores.map(({ id }) => id))).first('n')).toBe(100);
    const bytes = [...bucket.objects.values()].reduce((sum, { length }) => sum + length, 0);
    // oxlint-disable-next-line no-console -- the figures of OPERATIONS.md
    console.log(
      `100 stores: copied in ${Math.round(copied - began)} ms (${bytes} bytes), restored in ${Math.round(ended - imported)} ms`,
    );
  });
});

describe('a store that is larger than memory', () => {
  it('is copied in parts by many short steps, which say if it changed meanwhile', async () => {
    using bucket = startBucket();
    const { id } = await createCopiedStore();
    await fill(id, 3000, 1500);
    await copyShard(40, start + 50 * day);
    const shortStep = async (now: number) => {
      let calls = 0;
      // A step that reads three times and dies.
      await runJobs({
        env: copyingEnv,
        shard: 40,
        db: env.COPIED_0,
        now: () => now,
        hasTime: () => (calls += 1) < 6,
      });
      return (await lastJob('shard_copy', 40)).progress;
    };
    for (const [nights, isChanged] of [false, true].entries()) {
      const at = start + (60 + nights) * day;
      // The last row: the others are in a part by then.
      const change = (text: string) =>
        env.COPIED_0.prepare(
          `update idempotency_keys set response = ?2 where store_id = ?1 and key = '03000'`,
        )
          .bind(id, text)
          .run();
      await change(`${nights}`);
      let steps = 0;
      for (; !('lastNight' in (await shortStep(at))) || steps === 0; steps += 1) {
        const { store } = (await lastJob('shard_copy', 40)).progress as {
          store?: { parts: unknown[] };
        };
        if (isChanged && store?.parts.length === 1) await change(`later ${steps}`);
      }
      expect(steps).toBeGreaterThan(3);
      const copy = await env.DIRECTORY.prepare(
        'select name from store_copies where store_id = ? and finished_at is not null order by id desc limit 1',
      )
        .bind(id)
        .first<{ name: string }>();
      const key = manifestKey(id, copy!.name);
      const manifest = parseManifest(new TextDecoder().decode(bucket.objects.get(key)));
      expect(manifest).toMatchObject({
        consistent: !isChanged,
        tables: { idempotency_keys: 3000 },
      });
      expect(manifest.parts.length).toBeGreaterThan(1);
      expect((await lastCopyOf(bucket.objects, id))['idempotency_keys']).toHaveLength(3000);
    }
  });
});
