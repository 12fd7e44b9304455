/** What a contender is measured with. */
export interface Case {
  endpoints: number;
  /** Published events, each for every endpoint. */
  events: number;
  /** Milliseconds until a receiver answers. */
  delayMs: number;
  isHalfHung: boolean;
}

/** `BENCH_ROUNDS`: how often each case is run with each contender. */
export const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

/** Events by number of endpoints and kind of receivers, so that a run lasts some seconds and the whole a quarter of an hour. */
const eventCounts = [
  { endpoints: 1, quick: 2_000, slow: 2_000, hung: 0 },
  { endpoints: 40, quick: 100, slow: 40, hung: 60 },
  { endpoints: 1_000, quick: 5, slow: 2, hung: 4 },
];

/** `BENCH_ENDPOINTS`: numbers of endpoints to measure with. */
export const sizes = (process.env.BENCH_ENDPOINTS ?? '1,40,1000').split(',').map(Number);

const wantedKinds = new Set((process.env.BENCH_CASES ?? '0,50,hung,kills').split(','));

/** `BENCH_CASES`: receivers that answer at once (`0`) or after 50 ms (`50`), or `hung` by half, and `kills`. */
export const isWanted = (kind: '0' | '50' | 'hung' | 'kills') => wantedKinds.has(kind);

/** The cases that are timed. */
export const timed: Case[] = eventCounts
  .filter(({ endpoints }) => sizes.includes(endpoints))
  .flatMap(({ endpoints, quick, slow, hung }) => [
    ...(isWanted('0') ? [{ endpoints, events: quick, delayMs: 0, isHalfHung: false }] : []),
    ...(isWanted('50') ? [{ endpoints, events: slow, delayMs: 50, isHalfHung: false }] : []),
    ...(isWanted('hung') && hung > 0
      ? [{ endpoints, events: hung, delayMs: 0, isHalfHung: true }]
      : []),
  ]);

/** The case in words. */
export function described({ endpoints, events, delayMs, isHalfHung }: Case): string {
  const receivers = isHalfHung ? 'half of them hung' : `${delayMs} ms`;
  const count = `${endpoints} endpoint${endpoints === 1 ? '' : 's'}`;
  return `${count}, ${receivers}, ${healthy({ endpoints, isHalfHung }) * events} deliveries`;
}

/** How many endpoints answer. */
export const healthy = ({ endpoints, isHalfHung }: Pick<Case, 'endpoints' | 'isHalfHung'>) =>
  isHalfHung ? endpoints / 2 : endpoints;
