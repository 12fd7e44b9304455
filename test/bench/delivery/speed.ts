import { healthyEndpoints, type BenchCase } from './cases.ts';
import { wait, ContenderRun, type RunContext } from './contender-run.ts';
import type { DeliveryContender } from './contenders/contenders.ts';
import { resetReceipts, fetchReceipts, fetchReceiptCounts } from './receipts.ts';
import { benchEvents, warmUp } from './setup.ts';

/** Number of concurrent publishers. */
export const publishers = 8;

/** A delivery that takes longer counts as late. */
export const longestMs = { allRespond: 30_000, halfHung: 12_000 };

/** The longest time between a result and its flush. */
const flushMs = 1_200;

/** The result of one run of one contender. */
export interface SpeedResult {
  deliveriesPerSecond: number;
  publishesPerSecond: number;
  /** Milliseconds from the change to its receipt. */
  p50: number;
  p95: number;
  /** Per delivered event; `NaN` for a contender that does not count rows. */
  rowsWritten: number;
  rowsRead: number;
  late: number;
  repeated: number;
}

/** Runs a case on a fresh state. A run that fails is logged and repeated once. */
export async function measureSpeed(
  contender: DeliveryContender,
  benchCase: BenchCase,
  context: RunContext,
): Promise<SpeedResult> {
  try {
    return await runOnce(contender, benchCase, context);
  } catch (error) {
    console.log(`  ${contender.name} failed and is repeated: ${String(error)}`);
    return runOnce(contender, benchCase, context);
  }
}

/** Warms up, publishes as fast as events are accepted, then waits for the deliveries. */
async function runOnce(
  contender: DeliveryContender,
  benchCase: BenchCase,
  context: RunContext,
): Promise<SpeedResult> {
  const run = new ContenderRun(contender, { ...benchCase, isKilled: false }, context);
  try {
    await run.start();
    await warmUpRun(run, context.receivers);
    return await measure(run, benchCase, context.receivers);
  } finally {
    await run.end();
  }
}

async function warmUpRun(run: ContenderRun, receivers: string): Promise<void> {
  await publishAll(run, warmUp.events, benchEvents.warmUp);
  while ((await fetchReceiptCounts(receivers)).count < warmUp.deliveries) await wait(20);
  await wait(flushMs);
  await resetReceipts(receivers);
}

async function measure(
  run: ContenderRun,
  benchCase: BenchCase,
  receivers: string,
): Promise<SpeedResult> {
  const total = benchCase.events * healthyEndpoints(benchCase);
  const longest = benchCase.isHalfHung ? longestMs.halfHung : longestMs.allRespond;
  const before = await run.cost();
  const startedAt = Date.now();
  await publishAll(run, benchCase.events, benchEvents.measured);
  const publishedAt = Date.now();
  let counts = await fetchReceiptCounts(receivers);
  while (counts.count < total && Date.now() - startedAt < longest) {
    await wait(20);
    counts = await fetchReceiptCounts(receivers);
  }
  const endedAt = counts.count < total ? Date.now() : counts.lastAt;
  const { latencies } = await fetchReceipts(receivers);
  await wait(flushMs);
  const after = await run.cost();
  const { repeated } = await fetchReceiptCounts(receivers);
  const quantile = (share: number) =>
    latencies.toSorted((one, other) => one - other)[Math.floor(latencies.length * share)] ??
    Number.NaN;
  const perDelivery = (key: keyof typeof after) =>
    ((after[key] ?? Number.NaN) - (before[key] ?? Number.NaN)) / counts.count;
  return {
    deliveriesPerSecond: (counts.count * 1000) / (endedAt - startedAt),
    publishesPerSecond: (benchCase.events * 1000) / (publishedAt - startedAt),
    p50: quantile(0.5),
    p95: quantile(0.95),
    rowsWritten: perDelivery('rowsWritten'),
    rowsRead: perDelivery('rowsRead'),
    late: total - counts.count,
    repeated,
  };
}

async function publishAll(run: ContenderRun, count: number, event: string): Promise<void> {
  let next = 0;
  const publishLoop = async () => {
    while (next < count) {
      if (!(await run.publish((next += 1), event))) throw new Error('a publish failed');
    }
  };
  await Promise.all(Array.from({ length: publishers }, publishLoop));
}
