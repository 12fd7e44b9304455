import * as z from 'zod';
import { restoringShards, shardBindings } from '../db/shards/shards.ts';
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
  const bindings = shardBindings(env);
  for (const { body } of batch.messages) {
    const { shard } = TransferMessage.safeParse(body).data ?? {};
    const db = shard === undefined ? undefined : bindings.get(shard);
    if (shard === undefined || !db) {
      const isRestoring = shard !== undefined && restoringShards(env).has(shard);
      if (!isRestoring) log('error', 'transfers_malformed', { alert: true });
      continue;
    }
    try {
      if (await takeTurn({ env, shard, db, now })) await wakeTransfers(env, shard);
    } catch (error) {
      const message = error instanceof Error ? error.message.slice(0, 300) : '';
      log('error', 'transfers_turn_failed', { shard, message });
      await wakeTransfers(env, shard, retrySeconds);
    }
  }
  batch.ackAll();
}
