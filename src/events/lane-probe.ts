import type { Delivery } from './lane.ts';

/** What a lease sends. */
export interface Sendable {
  deliveries: readonly Delivery[];
  /** The oldest delivery, when it failed before and the newest is sent in its place. */
  suspect: Delivery | null;
}

/**
 * What a lane sends of what is due, given the oldest first. While it backs off that is one delivery: the oldest, and
 * on the next step the newest (webhooks 3.4, "half-open probe"), so that one event that always fails is told from an
 * endpoint that does. An ordered lane knows only its oldest.
 */
export function sendable(
  due: readonly Delivery[],
  { failStreak, ordered }: { failStreak: number; ordered: boolean },
): Sendable {
  const [oldest] = due;
  const newest = due.at(-1);
  if (failStreak === 0 || !oldest || !newest) return { deliveries: due, suspect: null };
  const isNewestTurn = !ordered && failStreak % 2 === 0 && newest.seq !== oldest.seq;
  if (!isNewestTurn) return { deliveries: [oldest], suspect: null };
  return { deliveries: [newest], suspect: oldest.attempts > 0 ? oldest : null };
}
