import { env } from 'cloudflare:workers';
import type { SweepContext } from '../../../src/data/sweep-task.ts';
import '../fixtures/first-shard.ts';

/** The input of a sweep task at a time (epoch milliseconds), for the first shard. */
export const sweepContextAt = (now: number): SweepContext => ({
  env,
  shard: 0,
  db: env.STORE_0,
  now: () => now,
  hasTime: () => true,
});
