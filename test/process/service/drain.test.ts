import { expect, it } from 'vitest';
import { numberShardStatements } from '../../../src/data/shards/shard-numbers.ts';
import { runJobs } from '../../../src/ops/jobs/run-jobs.ts';
import { tidyMoves } from '../../../src/stores/move/tidy.ts';
import { upTo } from '../../support/transfers/catalog.ts';
import { directorySchema, shardSchema } from '../../support/webhooks/simulation/schema.ts';
import { createSqliteD1 } from '../../support/webhooks/simulation/sqlite-d1.ts';

it('a drain moves all stores of a shard to another, two at a time', async () => {
  const stores = upTo(5);
  const [source, target] = [0, 1].map((shard) =>
    createSqliteD1([...shardSchema, ...numberShardStatements(shard)]),
  );
  if (!source || !target) throw new Error('no shards');
  await source.batch(
    stores.map((id) =>
      source.prepare('insert into placements (store_id, works) values (?, 1)').bind(id),
    ),
  );
  const directory = createSqliteD1([
    ...directorySchema,
    `insert into users (id, email, name, created_at, updated_at) values (1, 'o@x.test', 'o', 0, 0)`,
    ...stores.map(
      (
        id,
      ) => `insert into stores (id, alias, name, owner_id, shard, base_url, created_at, updated_at)
        values (${id}, 's${id}', 's', 1, 0, 'https://s.test', 0, 0)`,
    ),
    `insert into shards (number, state) values (0, 1), (1, 0)`,
    `insert into jobs (kind, shard, requested_by, created_at, due_at) values ('shard_drain', 0, 1, 0, 0)`,
  ]);
  let atOnce = 0;
  const countOpen = () =>
    directory
      .prepare(`select count(*) as n from jobs where kind = 'store_move' and finished_at is null`)
      .first<number>('n');
  const watched = {
    prepare: (sql: string) => source.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      atOnce = Math.max(atOnce, (await countOpen()) ?? 0);
      return source.batch(statements);
    },
  } as unknown as D1Database;
  const env = { DIRECTORY: directory, STORE_0: watched, STORE_1: target } as unknown as Env;
  let now = 1_000_000;
  for (const _round of upTo(8)) {
    const context = { env, shard: 0, db: watched, now: () => now, hasTime: () => true };
    await runJobs(context);
    await tidyMoves(context);
    now += 1_000;
  }
  const { results } = await directory.prepare('select distinct shard from stores').all();
  expect(results).toEqual([{ shard: 1 }]);
  expect(atOnce).toBe(2);
  const job = await directory
    .prepare(`select state, done, total, result from jobs where kind = 'shard_drain'`)
    .first();
  expect(job).toEqual({
    state: 'done',
    done: 5,
    total: 5,
    result: JSON.stringify({ counts: { stores: 5 } }),
  });
});
