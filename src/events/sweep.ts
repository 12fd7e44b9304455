import { EndpointStatus } from '../db/schema/webhooks.ts';
import { shardBindings } from '../db/shards.ts';
import { log } from '../log.ts';
import { lookAheadMs, sendWakes, type Wake } from './hints.ts';
import { advanceReleases } from './release.ts';
import { advanceReplays } from './replay-advance.ts';
import { settleInactive } from './sweep-inactive.ts';
import { repairForgotten } from './sweep-repair.ts';

const budgetMs = 20_000;
const pageSize = 1_000;

// Costs what there are lanes, not deliveries. A lane under lease is its consumer's business.
const overdueSql = `
  select id as endpoint, wake_at as wakeAt from webhook_endpoints
  where wake_at <= ?1 and (wake_at, id) > (?2, ?3)
    and lease_until <= ?4 and status = ${EndpointStatus.active}
  order by wake_at, id limit ${pageSize}`;

/**
 * What cron does each minute, for every shard: hints for all lanes that are due or will be within a minute,
 * which makes good every hint that was lost; then the lanes of inactive endpoints, then the invariant that no
 * open delivery is forgotten. Stops after 20 s. Never rejects: a shard that fails is logged.
 */
export async function sweep(env: Env, now: () => number = Date.now): Promise<void> {
  const stopAt = now() + budgetMs;
  const mayGoOn = () => now() < stopAt;
  await Promise.all(
    [...shardBindings(env)].map(async ([shard, db]) => {
      try {
        // Before the hints, which then wake the lanes that these fill.
        await advanceReplays(db, now(), mayGoOn);
        await advanceReleases(db, now(), mayGoOn);
        const hinted = await hintOverdue(env.HINTS, shard, db, now, mayGoOn);
        const settled = mayGoOn() ? await settleInactive(db, now()) : 0;
        const repaired = await repairForgotten(db, now(), mayGoOn);
        if (repaired.length > 0) {
          log('error', 'webhook_lanes_forgotten', { alert: true, shard, endpoints: repaired });
        }
        if (hinted + settled > 0) log('info', 'webhook_lanes_swept', { shard, hinted, settled });
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        log('error', 'webhook_sweep_failed', { alert: true, shard, message });
      }
    }),
  );
}

async function hintOverdue(
  queue: Queue,
  shard: number,
  db: D1Database,
  now: () => number,
  mayGoOn: () => boolean,
): Promise<number> {
  const startedAt = now();
  let last: Wake | undefined = { endpoint: 0, wakeAt: -1 };
  let hinted = 0;
  while (last && mayGoOn()) {
    const { results }: D1Result<Wake> = await db
      .prepare(overdueSql)
      .bind(startedAt + lookAheadMs, last.wakeAt, last.endpoint, startedAt)
      .all<Wake>();
    await sendWakes(queue, shard, results, now());
    hinted += results.length;
    last = results.length === pageSize ? results.at(-1) : undefined;
  }
  return hinted;
}
