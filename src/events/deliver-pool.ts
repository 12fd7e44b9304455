import { hasWork, type Delivery, type Lane } from './lane.ts';

/** Connections for sends; the sixth that an invocation may have is kept for the database and the queue. */
export const slots = 5;

/** What one lane may have under way while other lanes have work too, or before its receiver has taken anything. */
const sharedCap = 2;

/**
 * Works the lanes off: at most 5 sends at once, the least busy lane first, each within its own concurrency.
 * Starts nothing once `mayStart` says no, and resolves when all that was started has ended. Rejects as
 * soon as `deliver` does.
 */
export function runPool(
  lanes: readonly Lane[],
  mayStart: () => boolean,
  deliver: (lane: Lane, delivery: Delivery) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let busy = 0;
    const fill = () => {
      while (busy < slots && mayStart()) {
        const lane = leastBusy(lanes);
        const delivery = lane?.deliveries[lane.next];
        if (!lane || !delivery) break;
        lane.next += 1;
        lane.inFlight += 1;
        busy += 1;
        deliver(lane, delivery).then(() => {
          lane.inFlight -= 1;
          busy -= 1;
          fill();
        }, reject);
      }
      if (busy === 0) resolve();
    };
    fill();
  });
}

function leastBusy(lanes: readonly Lane[]): Lane | undefined {
  const working = lanes.filter(hasWork);
  const cap = working.length > 1 ? sharedCap : slots;
  return working
    .filter((lane) => lane.inFlight < Math.min(lane.concurrency, lane.hasArrived ? cap : sharedCap))
    .sort((a, b) => a.inFlight - b.inFlight || a.next - b.next)[0];
}
