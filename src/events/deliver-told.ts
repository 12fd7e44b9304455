import { NoticeKind } from '../db/schema/webhook-alarms.ts';
import { log } from '../log.ts';
import type { Lane } from './lane.ts';

/** The lines of the log about a drain: one, and one for each endpoint that is gone. */
export function tellDrained(lanes: readonly Lane[], durationMs: number): void {
  if (lanes.length === 0) return;
  for (const { shard, id, health } of lanes) {
    if (health.isGone)
      log('warn', 'webhook_notice', { shard, endpoint: id, kind: NoticeKind.gone });
  }
  log('info', 'webhook_lanes_drained', {
    durationMs,
    lanes: lanes.length,
    sends: lanes.reduce((sum, { next }) => sum + next, 0),
    failing: lanes.filter(({ health }) => health.failStreak > 0).map(({ id }) => id),
  });
}
