import { log } from './log.ts';

/** A message of the queue `sweep`: sweep this shard, as the consumer (`platform/sweep/queue.ts`) reads it. */
interface SweepMessage {
  v: 1;
  shard: number;
  round: 0;
}

/**
 * Asks for a sweep of one shard now, for work that somebody waits for. Never rejects: the next minute brings a sweep
 * anyway.
 */
export async function wakeSweep({ SWEEP }: Pick<Env, 'SWEEP'>, shard: number): Promise<void> {
  try {
    await SWEEP.send({ v: 1, shard, round: 0 } satisfies SweepMessage);
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 300) : '';
    log('warn', 'sweep_not_woken', { shard, message });
  }
}
