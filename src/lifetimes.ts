const minute = 60_000;
const day = 24 * 60 * minute;

/** How long what the authorization server gives out is good for, and what it remembers; milliseconds. */
export const lifetimes = {
  code: minute,
  accessToken: 10 * minute,
  /** Counted anew at each refresh. */
  refreshToken: 30 * day,
  /** A spent refresh token that comes again within this time gets the same answer again. */
  hotRetry: 2 * minute,
  /** After that, and within this time, it does so while the grant has late retries left. */
  lateRetry: day,
  /** How long an isolate believes what it read of an app, or of a user's right to a store. */
  believed: 30_000,
  /** How far the noted last use of a header pair may lag behind. */
  useLag: 60 * minute,
  /** Records in KV (`oauth/vault`). */
  codeRecord: 2 * minute,
  refreshRecord: 60 * day,
  /** What cron deletes: codes nobody redeemed, grants after their end, events. */
  unusedCode: day,
  deadGrant: 60 * day,
  event: 90 * day,
} as const;

/** Late retries that a grant has each day. */
export const lateRetriesPerDay = 3;

/** Live grants that one app may have in one store; beyond them the oldest one is revoked. */
export const liveGrants = 10;
