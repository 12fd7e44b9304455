import { dayMs, hourMs, minuteMs } from '../../base/durations.ts';

/** Durations of sessions and forms, in milliseconds. */
export const sessionLifetimes = {
  /** A session ends after this long without use. */
  idle: 12 * hourMs,
  /** A session ends after this long in any case. */
  session: 7 * dayMs,
  /** How far `sessions.seen_at` may lag behind, so that few page views write. */
  seenLag: 5 * minuteMs,
  /** How long a consent page can be decided. */
  consent: 10 * minuteMs,
  /** How long the second step of signing in can be taken. */
  secondStep: 10 * minuteMs,
  /** How long a proof of who the user is counts. */
  proof: 10 * minuteMs,
  /** How long any other form can be submitted, unless its session ends before. */
  form: hourMs,
  /** How long a failed sign-in counts. */
  failure: hourMs,
  /** How long a counter of attempts is kept: the longest window of one. */
  counter: dayMs,
  /** How long a remembered device needs no second step. */
  rememberedDevice: 30 * dayMs,
  /** How long a browser is known after it signed in. */
  knownBrowser: 180 * dayMs,
};
