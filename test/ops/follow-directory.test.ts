import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/data/core/open-database.ts';
import { changeBatchSize, listStoreChanges } from '../../src/data/directory/store-changes.ts';
import { followDirectory } from '../../src/ops/follow-directory.ts';
import { createTestStore } from '../support/fixtures/store.ts';

/** A number that no other test lists changes of. */
const shard = 77;

const addChanges = (storeId: number, count: number, eraseAt: number | null) =>
  env.DIRECTORY.prepare(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
      insert into store_changes (shard, store_id, erase_at) select ?, ?, ? from n`,
  )
    .bind(count, shard, storeId, eraseAt)
    .run();

afterEach(() =>
  env.DIRECTORY.prepare('delete from store_changes where shard = ?').bind(shard).run(),
);

it('carries the changes behind a whole batch that waits for a moving store, and ends', async () => {
  const [here, elsewhere] = [
    await createTestStore({ shard: 0 }),
    await createTestStore({ shard: 1 }),
  ];
  await addChanges(elsewhere.id, changeBatchSize + 1, Date.now());
  await addChanges(here.id, 1, null);
  let batches = 0;
  const hasTime = () => {
    batches += 1;
    // A run that reads the same batch again would never end.
    if (batches > 3) throw new Error('a fourth batch of 202 changes');
    return true;
  };

  const context = { env, shard, db: env.STORE_0, now: Date.now, hasTime };
  expect(await followDirectory(context)).toBe(changeBatchSize + 2);

  const directory = openDatabase(env.DIRECTORY);
  const first = await listStoreChanges(directory, shard);
  const rest = await listStoreChanges(directory, shard, first.at(-1)!.id);
  expect(new Set([...first, ...rest].map(({ store }) => store.id))).toEqual(
    new Set([elsewhere.id]),
  );
  expect(first.length + rest.length).toBe(changeBatchSize + 1);
});
