import { shardBindings } from '../db/shards.ts';
import { log } from '../log.ts';
import { purge } from './purge.ts';
import { judgeFailing } from './sweep-failing.ts';
import { advanceReleases } from './release.ts';
import { advanceReplays } from './replay-advance.ts';
import { settleInactive } from './sweep-inactive.ts';
import { hintOverdue } from './sweep-overdue.ts';
import { repairForgotten } from './sweep-repair.ts';
import { expireSecrets } from './sweep-secrets.ts';
import type { Shift } from './sweep-shift.ts';
import { tellSlowed } from './sweep-slowed.ts';

const budgetMs = 20_000;

/** What cron does each minute, the urgent first; each answers with how much there was to do. */
const duties: readonly [name: string, duty: (shift: Shift) => Promise<number>][] = [
  // Before the hints, which then wake the lanes that these fill.
  ['replayed', advanceReplays],
  ['released', advanceReleases],
  ['hinted', hintOverdue],
  ['settled', settleInactive],
  ['secrets', expireSecrets],
  ['judged', judgeFailing],
  ['slowed', tellSlowed],
  ['repaired', repairForgotten],
  ['purged', purge],
];

/**
 * The duties of cron (webhooks 3.8) for every shard, for 20 s at most; what was not reached waits for the next minute.
 * Never rejects: what fails is logged, and holds up neither the other duties nor the other shards.
 */
export async function sweep(env: Env, now: () => number = Date.now): Promise<void> {
  const stopAt = now() + budgetMs;
  const mayGoOn = () => now() < stopAt;
  await Promise.all(
    [...shardBindings(env)].map(async ([shard, db]) => {
      const done: Record<string, number> = {};
      for (const [name, duty] of duties) {
        if (!mayGoOn()) break;
        try {
          const count = await duty({ env, shard, db, now, mayGoOn });
          if (count > 0) done[name] = count;
        } catch (error) {
          const message = error instanceof Error ? error.message : '';
          log('error', 'webhook_sweep_failed', { alert: true, shard, duty: name, message });
        }
      }
      if (Object.keys(done).length > 0) log('info', 'webhook_swept', { shard, ...done });
    }),
  );
}
