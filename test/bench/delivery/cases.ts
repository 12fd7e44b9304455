/** A load that every contender is measured with. */
export interface BenchCase {
  endpoints: number;
  /** Number of published events; each goes to every endpoint. */
  events: number;
  /** Milliseconds until a receiver responds. */
  delayMs: number;
  /** Whether half of the receivers never respond. */
  isHalfHung: boolean;
}

/** `BENCH_ROUNDS`: runs of each case with each contender. */
export const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

/**
 * Number of events by endpoints and receivers: a run takes some seconds, the whole benchmark a
 * quarter of an hour.
 */
const eventCounts = [
  { endpoints: 1, quick: 2_000, slow: 2_000, hung: 0 },
  { endpoints: 40, quick: 100, slow: 40, hung: 60 },
  { endpoints: 1_000, quick: 5, slow: 2, hung: 4 },
];

/** `BENCH_ENDPOINTS`: numbers of endpoints to measure with. */
export const sizes = (process.env.BENCH_ENDPOINTS ?? '1,40,1000').split(',').map(Number);

const selectedKinds = new Set((process.env.BENCH_CASES ?? '0,50,hung,kills').split(','));

/**
 * `BENCH_CASES`: receivers that respond at once (`0`) or after 50 ms (`50`), half of them `hung`,
 * and `kills`.
 */
export const isSelected = (kind: '0' | '50' | 'hung' | 'kills') => selectedKinds.has(kind);

/** The cases that measure speed. */
export const timedCases: BenchCase[] = eventCounts
  .filter(({ endpoints }) => sizes.includes(endpoints))
  .flatMap(({ endpoints, quick, slow, hung }) => [
    ...(isSelected('0') ? [{ endpoints, events: quick, delayMs: 0, isHalfHung: false }] : []),
    ...(isSelected('50') ? [{ endpoints, events: slow, delayMs: 50, isHalfHung: false }] : []),
    ...(isSelected('hung') && hung > 0
      ? [{ endpoints, events: hung, delayMs: 0, isHalfHung: true }]
      : []),
  ]);

/** Describes a case in one line. */
export function describeCase({ endpoints, events, delayMs, isHalfHung }: BenchCase): string {
  const receivers = isHalfHung ? 'half of them hung' : `${delayMs} ms`;
  const count = `${endpoints} endpoint${endpoints === 1 ? '' : 's'}`;
  return `${count}, ${receivers}, ${healthyEndpoints({ endpoints, isHalfHung }) * events} deliveries`;
}

/** Returns the number of endpoints whose receivers respond. */
export const healthyEndpoints = ({
  endpoints,
  isHalfHung,
}: Pick<BenchCase, 'endpoints' | 'isHalfHung'>) => (isHalfHung ? endpoints / 2 : endpoints);
