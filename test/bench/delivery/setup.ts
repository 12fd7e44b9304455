import type { BenchCase } from './cases.ts';

/** The setup of a contender's process: the JSON of its only argument. */
export interface ContenderSetup extends Omit<BenchCase, 'events'> {
  /** Folder of its state; empty at the first start. */
  state: string;
  isFirst: boolean;
  /** Address of the receivers. */
  receivers: string;
  /** Whether the run includes kills; then waits of a minute are shortened to seconds. */
  isKilled: boolean;
  /** See `Contender.variant`. */
  variant: string;
}

/** Parses the setup of this process. */
export const readSetup = () => JSON.parse(process.argv[2] ?? '{}') as ContenderSetup;

/** The measured event, and the event of the warm-up. */
export const benchEvents = { measured: 'order.paid', warmUp: 'order.created' } as const;

/** A webhook endpoint of the benchmark. */
export interface BenchEndpoint {
  id: number;
  url: string;
  event: (typeof benchEvents)[keyof typeof benchEvents];
}

const warmUpEndpoints = 4;

/** Returns all endpoints of a run; those of the warm-up are last. */
export function benchEndpoints(setup: ContenderSetup): BenchEndpoint[] {
  const { endpoints, delayMs, isHalfHung, receivers } = setup;
  // Where the id selects one of four queues, groups of four hang together: each queue has hung and
  // healthy endpoints.
  const isHung = (n: number) => isHalfHung && Math.floor(n / 4) % 2 === 1;
  const measured = Array.from({ length: endpoints }, (_, n) => ({
    id: n + 1,
    url: `${receivers}${isHung(n) ? '/hung' : `/delay/${delayMs}`}/${n}`,
    event: benchEvents.measured,
  }));
  const warmUpTargets = Array.from({ length: warmUpEndpoints }, (_, n) => ({
    id: endpoints + n + 1,
    url: `${receivers}/delay/0/warm-up-${n}`,
    event: benchEvents.warmUp,
  }));
  return [...measured, ...warmUpTargets];
}

/** The load of the warm-up: enough for V8 to optimize. */
export const warmUp = { events: 40, deliveries: 40 * warmUpEndpoints };
