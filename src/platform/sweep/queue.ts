import * as z from 'zod';
import { readShardMessages } from '../../db/shards/shard-messages.ts';
import { shardBindings } from '../../db/shards/shards.ts';
import { log } from '../../log.ts';
import { sweepShard } from './run.ts';

/** Further rounds of a shard in a minute. Each has the calls of an invocation of its own. */
export const maxRounds = 8;

/** A message: sweep this shard. It carries no data, so a lost, late or repeated one does no harm. */
const SweepMessage = z.strictObject({
  v: z.literal(1),
  shard: z.int().min(0),
  round: z.int().min(0).max(maxRounds),
});

type SweepMessage = z.output<typeof SweepMessage>;

/** Messages that `Queue.sendBatch` accepts at once. */
const chunkSize = 100;

/**
 * Asks for a sweep of every shard; cron calls it each minute. One call of the queue for 100 shards. Never rejects: a
 * failure is logged with an alert, and the next minute tries again.
 */
export async function requestSweeps(env: Env): Promise<void> {
  const shards = [...shardBindings(env).keys()];
  for (let start = 0; start < shards.length; start += chunkSize) {
    await send(
      env,
      shards.slice(start, start + chunkSize).map((shard) => ({ v: 1, shard, round: 0 })),
    );
  }
}

async function send(env: Env, messages: readonly SweepMessage[]): Promise<void> {
  try {
    await env.SWEEP.sendBatch(messages.map((body) => ({ body })));
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const shards = messages.map(({ shard }) => shard);
    log('error', 'sweeps_not_sent', { alert: true, shards, message });
  }
}

/**
 * Consumer of the queue `sweep`: one shard an invocation, so that the number of shards does not matter. A task with more
 * to do gets another round at once. Never rejects and never retries: the next minute brings the next message.
 */
export async function handleSweeps(
  batch: MessageBatch,
  env: Env,
  now: () => number = Date.now,
): Promise<void> {
  const read = readShardMessages(
    batch,
    env,
    (body) => SweepMessage.safeParse(body).data,
    () => log('error', 'sweep_malformed', { alert: true }),
  );
  for (const { message, db } of read) {
    const { shard, round } = message;
    const hasMore = await sweepShard({ env, shard, db, now });
    if (hasMore && round < maxRounds) await send(env, [{ v: 1, shard, round: round + 1 }]);
  }
  batch.ackAll();
}
