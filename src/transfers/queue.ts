import * as z from 'zod';
import { readShardMessages } from '../db/shards/shard-messages.ts';
import { log } from '../log.ts';
import { takeTurn } from './turn.ts';
import { wakeTransfers } from './wake.ts';

const TransferMessage = z.strictObject({ v: z.literal(1), shard: z.int().min(0) });

/** Before the next turn after one that failed, in seconds. */
const retrySeconds = 10;

/**
 * Consumer of the queue `transfers`: a turn at the transfers of one shard, and another message if more is to do, behind those
 * of the other shards. Never rejects and never retries: the sweep asks again each minute.
 */
export async function handleTransfers(
  batch: MessageBatch,
  env: Env,
  now: () => number = Date.now,
): Promise<void> {
  const read = readShardMessages(
    batch,
    env,
    (body) => TransferMessage.safeParse(body).data,
    () => log('error', 'transfers_malformed', { alert: true }),
  );
  for (const { message, db } of read) {
    const { shard } = message;
    try {
      if (await takeTurn({ env, shard, db, now })) await wakeTransfers(env, shard);
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, 300) : '';
      log('error', 'transfers_turn_failed', { shard, message: reason });
      await wakeTransfers(env, shard, retrySeconds);
    }
  }
  batch.ackAll();
}
