import { shardBinding } from '../../data/core/open-database.ts';
import { consumerOf, messageSchemas, wake } from '../../data/queues.ts';
import { takeStep } from './transfer-step.ts';

/**
 * Runs a step of the transfers of one shard. If more is to do, sends another message, behind those
 * of the other shards. After a failure, sends the messages again some seconds later; a message that
 * is lost is replaced by the sweep.
 */
export const handleTransfers = consumerOf({
  name: 'transfers',
  schema: messageSchemas.transfers,
  isPerShard: true,
  async consume(messages, { env, ports: { now = Date.now } }) {
    for (const { v, shard } of messages) {
      const hasMore = await takeStep({ env, shard, db: shardBinding(env, shard), now });
      if (hasMore) await wake(env, 'transfers', { v, shard });
    }
  },
  onFailure: { sendAgainSeconds: 10 },
});
