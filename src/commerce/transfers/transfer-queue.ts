import { log } from '../../base/log.ts';
import { shardBinding } from '../../data/core/open-database.ts';
import { consumerOf, messageSchemas, wake } from '../../data/queues.ts';
import { takeStep } from './transfer-step.ts';

/** Delay of the next step after a failed one, in seconds. */
const retrySeconds = 10;

/**
 * Runs a step of the transfers of one shard. If more is to do, sends another message, behind those of the other
 * shards. After a failure, sends the messages again some seconds later; a message that is lost
 * is replaced by the sweep.
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
  async onFailure(failure, messages, { env, batch }) {
    const message = failure instanceof Error ? failure.message.slice(0, 300) : '';
    log('error', 'transfers_turn_failed', { shards: messages.map(({ shard }) => shard), message });
    for (const again of messages) await wake(env, 'transfers', again, retrySeconds);
    batch.ackAll();
  },
});
