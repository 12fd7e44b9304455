import { waitAfter } from './schedule.ts';
import type { Outcome } from './outcome.ts';

/** How an endpoint has been doing, and what one drain made of that. Times are epoch milliseconds. */
export interface Health {
  /** Drains in a row that met a failure; while above 0 the lane sends one probe per wake-up. */
  failStreak: number;
  /** Since when nothing has succeeded. */
  firstFailAt: number | null;
  lastOkAt: number | null;
  /** A moving average over answers. */
  latencyMs: number;
  /** Set by a failure of this drain: nothing more is sent before. */
  backoffUntil: number | null;
}

/**
 * The health after one more result. All failures of one drain count as one step, and a success that was under
 * way beside a failure does not reopen the lane: else the failed delivery would be tried again at once.
 */
export function healthAfter(
  health: Health,
  outcome: Outcome,
  { now, durationMs, random }: { now: number; durationMs: number; random: () => number },
): Health {
  if (outcome === 'unsendable') return health;
  const latencyMs =
    health.latencyMs === 0 ? durationMs : Math.round(health.latencyMs * 0.8 + durationMs * 0.2);
  if (outcome === 'delivered') {
    const known = { ...health, latencyMs, lastOkAt: now };
    return health.backoffUntil === null ? { ...known, failStreak: 0, firstFailAt: null } : known;
  }
  if (health.backoffUntil !== null) return { ...health, latencyMs };
  const failStreak = health.failStreak + 1;
  return {
    ...health,
    latencyMs,
    failStreak,
    firstFailAt: health.firstFailAt ?? now,
    backoffUntil: now + waitAfter(failStreak, random),
  };
}
