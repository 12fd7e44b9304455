import { env } from 'cloudflare:workers';
import type { Shift } from '../../src/events/sweep-shift.ts';

/** What a duty of cron gets at that moment (epoch milliseconds), on the first shard. */
export const shiftAt = (now: number): Shift => ({
  env,
  shard: 0,
  db: env.STORE_0,
  now: () => now,
  mayGoOn: () => true,
});
