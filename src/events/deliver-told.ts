import { log } from '../log.ts';
import type { Lane } from './lane.ts';

/** The line of the log about a drain. */
export function tellDrained(lanes: readonly Lane[], durationMs: number): void {
  if (lanes.length === 0) return;
  log('info', 'webhook_lanes_drained', {
    durationMs,
    lanes: lanes.length,
    sends: lanes.reduce((sum, { next }) => sum + next, 0),
    failing: lanes.filter(({ health }) => health.failStreak > 0).map(({ id }) => id),
  });
}
