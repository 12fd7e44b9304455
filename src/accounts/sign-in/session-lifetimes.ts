const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Durations of sessions and forms, in milliseconds. */
export const sessionLifetimes = {
  /** A session ends after this long without use. */
  idle: 12 * hour,
  /** A session ends after this long in any case. */
  session: 7 * day,
  /** How far `sessions.seen_at` may lag behind, so that few page views write. */
  seenLag: 5 * minute,
  /** How long a consent page can be decided. */
  consent: 10 * minute,
  /** How long the second step of signing in can be taken. */
  secondStep: 10 * minute,
  /** How long a proof of who the user is counts. */
  proof: 10 * minute,
  /** How long any other form can be submitted, unless its session ends before. */
  form: hour,
  /** How long a failed sign-in counts. */
  failure: hour,
  /** How long a counter of attempts is kept: the longest window of one. */
  counter: day,
  /** How long a browser is known after it signed in. */
  knownBrowser: 180 * day,
};
