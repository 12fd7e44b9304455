import { log } from '../base/log.ts';
import { shardBinding, shardBindings } from '../data/core/open-database.ts';
import { consumerOf, maxRounds, messageSchemas, send, wake } from '../data/queues.ts';
import { sweepShard } from './run-sweep.ts';

/**
 * Asks for a sweep of every shard; cron calls it each minute. One call of the queue for 100 shards.
 * Never rejects: a failure is logged with an alert, and the next minute tries again.
 */
export async function requestSweeps(env: Env): Promise<void> {
  const shards = [...shardBindings(env).keys()];
  try {
    await send(
      env,
      'sweep',
      shards.map((shard) => ({ body: { v: 1, shard, round: 0 } })),
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'sweeps_not_sent', { alert: true, shards, message });
  }
}

/**
 * Sweeps one shard an invocation, so that the number of shards does not matter. A task with more to
 * do gets another round at once. A message is not retried: the next minute brings the next one.
 */
export const handleSweeps = consumerOf({
  name: 'sweep',
  schema: messageSchemas.sweep,
  isPerShard: true,
  async consume(messages, { env, ports: { now = Date.now } }) {
    for (const { shard, round } of messages) {
      const hasMore = await sweepShard({ env, shard, db: shardBinding(env, shard), now });
      if (hasMore && round < maxRounds) await wake(env, 'sweep', { v: 1, shard, round: round + 1 });
    }
  },
});
