import { expect, it } from 'vitest';
import { numberShardStatements } from '../../../src/data/shards/shard-numbers.ts';
import type { SweepTask } from '../../../src/data/sweep-task.ts';
import { sweepShard } from '../../../src/ops/run-sweep.ts';
import { shardSchema } from '../../support/webhooks/simulation/schema.ts';
import { createSqliteD1 } from '../../support/webhooks/simulation/sqlite-d1.ts';

const announce = `insert into outgoing_moves (store_id, move_id, to_shard, state, started_at, since)
  values (1, 'm', 1, 0, 0, 0)`;

it('work on a whole shard that began before a move writes nothing from its announcement on', async () => {
  const shard = createSqliteD1([...shardSchema, ...numberShardStatements(0)]);
  const steps: string[] = [];
  const task: SweepTask = {
    name: 'bulk',
    untilMs: 20_000,
    restsDuringMoves: true,
    run: async ({ db }) => {
      const write = (id: number) =>
        db.prepare('insert into placements (store_id, works) values (?, 1)').bind(id);
      await write(1).run();
      await db.batch([write(2)]);
      steps.push('wrote');
      await shard.prepare(announce).run();
      const { results } = await db.prepare('select store_id from placements').all();
      steps.push(`read ${results.length}`);
      await write(3).run();
      steps.push('wrote again');
      return 1;
    },
  };
  const swept = { env: {} as Env, shard: 0, db: shard, now: () => 0 };
  await sweepShard(swept, [[task]]);
  // A sweep that begins later does not begin the work.
  await sweepShard(swept, [[task]]);
  expect(steps).toEqual(['wrote', 'read 2']);
  expect(await shard.prepare('select count(*) as n from placements').first('n')).toBe(2);
  await shard.prepare('delete from outgoing_moves').run();
  await shard.prepare('delete from placements').run();
  await sweepShard(swept, [[task]]);
  expect(steps).toHaveLength(4);
});
