const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long things of the browser live, in milliseconds. */
export const lifetimes = {
  /** A session that nobody uses. */
  idle: 12 * hour,
  /** A session, whatever happens. */
  session: 7 * day,
  /** How far `sessions.seen_at` may lag behind, so that a page view seldom writes. */
  seenLag: 5 * minute,
  /** A consent page, from being shown to its decision (design of the authorization server, 3.7). */
  consent: 10 * minute,
  /** Any other form; its session may end before. */
  form: hour,
  /** How long a refused sign-in counts. */
  failure: hour,
};
