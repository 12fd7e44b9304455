import type { Case } from './cases.ts';

/** What the process of a contender is told, as JSON in its only argument. */
export interface Setup extends Omit<Case, 'events'> {
  /** Folder of its state; empty when it starts for the first time. */
  state: string;
  isFirst: boolean;
  /** Address of the receivers. */
  receivers: string;
  /** Whether it is going to be killed: then what would wait for a minute waits for seconds. */
  isKilled: boolean;
  /** What this contender is told beside. */
  variant: string;
}

/** The setup that this process was given. */
export const setupOfProcess = () => JSON.parse(process.argv[2] ?? '{}') as Setup;

/** The event that is measured, and the one that only warms up. */
export const events = { measured: 'order.paid', warmUp: 'order.created' } as const;

/** An endpoint to subscribe. */
export interface BenchEndpoint {
  id: number;
  url: string;
  event: (typeof events)[keyof typeof events];
}

const warmUpEndpoints = 4;

/** All endpoints of a run, those that warm up last. */
export function benchEndpoints(setup: Setup): BenchEndpoint[] {
  const { endpoints, delayMs, isHalfHung, receivers } = setup;
  // A queue is chosen by the id modulo 4, so whole groups of four hang: each queue has hung and healthy ones.
  const isHung = (n: number) => isHalfHung && Math.floor(n / 4) % 2 === 1;
  const measured = Array.from({ length: endpoints }, (_, n) => ({
    id: n + 1,
    url: `${receivers}${isHung(n) ? '/hung' : `/delay/${delayMs}`}/${n}`,
    event: events.measured,
  }));
  const warming = Array.from({ length: warmUpEndpoints }, (_, n) => ({
    id: endpoints + n + 1,
    url: `${receivers}/delay/0/warm-up-${n}`,
    event: events.warmUp,
  }));
  return [...measured, ...warming];
}

/** Deliveries that warm a contender up: enough for the compilers of V8, and for every queue. */
export const warmUp = { events: 40, deliveries: 40 * warmUpEndpoints };
