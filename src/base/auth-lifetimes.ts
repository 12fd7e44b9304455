import { dayMs, hourMs, minuteMs } from './durations.ts';

/** Lifetimes of codes, tokens, grants and their records, in milliseconds. */
export const authLifetimes = {
  authorizationCode: minuteMs,
  accessToken: 10 * minuteMs,
  /** Starts again at each refresh. */
  refreshToken: 30 * dayMs,
  /** The same for an agent, which people use now and then. */
  agentRefreshToken: 90 * dayMs,
  /** Within this time a retry with a spent refresh token gets the same response again. */
  retryWindow: 2 * minuteMs,
  /** After that, and within this time, only while the grant has late retries left. */
  lateRetryWindow: dayMs,
  /** TTL of an isolate's cache of apps and memberships. */
  authCacheTtl: 30_000,
  /** How far the stored last use of an API key may lag behind. */
  lastUsedLag: hourMs,
  /** TTL of the records in KV. */
  codeRecordTtl: 2 * minuteMs,
  refreshRecordTtl: 60 * dayMs,
  /** Retention before cron deletes: unredeemed codes, ended grants, events of grants. */
  unusedCodeRetention: dayMs,
  endedGrantRetention: 60 * dayMs,
  grantEventRetention: 90 * dayMs,
} as const;

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
  /** How long a remembered device needs no second step. */
  rememberedDevice: 30 * dayMs,
  /** How long a browser is known after it signed in. */
  knownBrowser: 180 * dayMs,
};

/** Late retries of a grant per day. */
export const lateRetriesPerDay = 3;

/**
 * Active grants of one app that a user gave for one store. Beyond that the oldest of them is
 * revoked, or an assistant refused.
 */
export const maxActiveGrants = 10;
