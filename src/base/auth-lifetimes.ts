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

/** Late retries of a grant per day. */
export const lateRetriesPerDay = 3;

/** Active grants of one app that a user gave for one store. Beyond that the oldest of them is revoked, or an assistant refused. */
export const maxActiveGrants = 10;
