import { hasWork, type Delivery, type Lane } from './lane.ts';
import { isFresh, isLookDue } from './lane-watch.ts';

/** Connections for sends; the sixth that an invocation may have is kept for the database and the queue. */
export const slots = 5;

/** What one lane may have under way while other lanes have work too, or before its receiver has taken anything. */
const sharedCap = 2;

/** What a pool does. */
export interface Work {
  /** Whether another send of the lane may start now. */
  mayStart: (lane: Lane) => boolean;
  deliver: (lane: Lane, delivery: Delivery) => Promise<void>;
  /** Whether the lane is to take more of what lies behind it, or to be shared. */
  mayTake: (lane: Lane) => boolean;
  /** Does that. Never rejects. */
  take: (lane: Lane) => Promise<void>;
  /** Looks whether the lanes' endpoints are still active. Never rejects. */
  look: () => Promise<void>;
  /** Told whenever nothing more can start before something has ended, however many connections there were. */
  onIdle: () => unknown;
}

/**
 * Works the lanes off: at most 5 sends at once, the least busy lane first, each within its own concurrency. Resolves
 * when all that was started has ended. Rejects as soon as `deliver` does.
 */
export function runPool(
  lanes: readonly Lane[],
  { mayStart, deliver, mayTake, take, look, onIdle }: Work,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let busy = 0;
    let isLooking = false;
    const begin = (work: Promise<void>, onEnd: () => void) => {
      busy += 1;
      work.then(() => {
        onEnd();
        busy -= 1;
        fill();
      }, reject);
    };
    const isAbleTo = (lane: Lane) => hasWork(lane) && mayStart(lane) && isFresh(lane);
    const fill = () => {
      let sending = lanes.reduce((sum, { inFlight }) => sum + inFlight, 0);
      for (; sending < slots; sending += 1) {
        const lane = leastBusy(lanes.filter(isAbleTo));
        const delivery = lane?.deliveries[lane.next];
        if (!lane || !delivery) break;
        lane.next += 1;
        lane.inFlight += 1;
        begin(deliver(lane, delivery), () => (lane.inFlight -= 1));
      }
      if (!isLooking && lanes.some((lane) => isLookDue(lane) && mayStart(lane))) {
        isLooking = true;
        begin(look(), () => (isLooking = false));
      }
      if (busy > 0 && !isLooking && !leastBusy(lanes.filter(isAbleTo))) onIdle();
      for (const lane of lanes) {
        if (lane.isTaking || lane.isStopped || !mayTake(lane)) continue;
        lane.isTaking = true;
        begin(take(lane), () => (lane.isTaking = false));
      }
      if (busy === 0) resolve();
    };
    fill();
  });
}

function leastBusy(working: readonly Lane[]): Lane | undefined {
  const isShared = working.length > 1;
  // One that hangs takes no more than it must: a single connection while others wait.
  const capOf = ({ hasArrived }: Lane) =>
    isShared ? (hasArrived ? sharedCap : 1) : hasArrived ? slots : sharedCap;
  return working
    .filter((lane) => lane.inFlight < Math.min(lane.concurrency, capOf(lane)))
    .sort((a, b) => a.inFlight - b.inFlight || a.next - b.next)[0];
}
