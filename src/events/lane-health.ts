import type { Outcome } from './outcome.ts';
import { waitAfter } from './schedule.ts';

/** How an endpoint has been doing, and what one drain made of that. Times are epoch milliseconds. */
export interface Health {
  /** Steps in a row that the lane has backed off; while above 0 it sends one probe per step. */
  failStreak: number;
  /** Failures since `firstFailAt` that the endpoint is blamed for. */
  failCount: number;
  /** Since when the endpoint has been failing: nothing has succeeded since. */
  firstFailAt: number | null;
  lastOkAt: number | null;
  /** A moving average over answers. */
  latencyMs: number;
  /** Set by a failure of this drain: nothing more is sent before. */
  backoffUntil: number | null;
  /** When that was sent to which the receiver answered that it is gone for good. */
  goneAt: number | null;
}

/** One result, as far as a lane's health goes. */
export interface LaneResult {
  outcome: Outcome;
  /** Epoch milliseconds. */
  now: number;
  durationMs: number;
  /** The pause that the answer asked for. */
  retryAfterMs: number | null;
  /** Whether the delivery holds up its lane: an ordered one that was refused and is tried again. */
  holdsUp: boolean;
  /** Failures of what is sent again on demand are nothing to blame an endpoint for. */
  isReplay: boolean;
  random: () => number;
}

/**
 * The health after one more result (webhooks 3.4). All failures of one drain count as one step, and a success that was
 * under way beside a failure does not reopen the lane: else the failed delivery would be tried again at once.
 */
export function healthAfter(health: Health, result: LaneResult): Health {
  const { outcome, now, durationMs } = result;
  if (outcome === 'unsendable') return health;
  const { latencyMs: before } = health;
  const latencyMs = before === 0 ? durationMs : Math.round(before * 0.8 + durationMs * 0.2);
  const known = { ...health, latencyMs };
  const isResting = health.backoffUntil !== null;
  if (outcome === 'delivered') {
    const heard = { ...known, lastOkAt: now };
    return isResting ? heard : { ...heard, failStreak: 0, failCount: 0, firstFailAt: null };
  }
  if (outcome === 'gone') return { ...known, goneAt: now - durationMs, backoffUntil: now };
  if (outcome === 'payload refused' && !result.holdsUp) {
    return isResting ? known : { ...known, failStreak: 0 };
  }
  const asked = now + (outcome === 'slow down' ? (result.retryAfterMs ?? 0) : 0);
  if (isResting) return { ...known, backoffUntil: Math.max(health.backoffUntil ?? 0, asked) };
  const failStreak = health.failStreak + 1;
  const backoffUntil = Math.max(now + waitAfter(failStreak, result.random), asked);
  const rested = { ...known, failStreak, backoffUntil };
  return outcome === 'endpoint failure' && !result.isReplay
    ? { ...rested, failCount: health.failCount + 1, firstFailAt: health.firstFailAt ?? now }
    : rested;
}
