const minute = 60_000;
const day = 24 * 60 * minute;

/** Lifetimes of codes, tokens, grants and their records, in milliseconds. */
export const authLifetimes = {
  authorizationCode: minute,
  accessToken: 10 * minute,
  /** Starts again at each refresh. */
  refreshToken: 30 * day,
  /** Within this time a retry with a spent refresh token gets the same response again. */
  retryWindow: 2 * minute,
  /** After that, and within this time, only while the grant has late retries left. */
  lateRetryWindow: day,
  /** TTL of an isolate's cache of apps and memberships. */
  authCacheTtl: 30_000,
  /** How far the stored last use of an API key may lag behind. */
  lastUsedLag: 60 * minute,
  /** TTL of the records in KV. */
  codeRecordTtl: 2 * minute,
  refreshRecordTtl: 60 * day,
  /** Retention before cron deletes: unredeemed codes, ended grants, events of grants. */
  unusedCodeRetention: day,
  endedGrantRetention: 60 * day,
  grantEventRetention: 90 * day,
} as const;

/** Late retries of a grant per day. */
export const lateRetriesPerDay = 3;

/** Active grants of one app in one store. Beyond that, the oldest is revoked. */
export const maxActiveGrants = 10;
