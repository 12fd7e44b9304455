import { healthy, type Case } from './cases.ts';
import type { Contender } from './contenders.ts';
import { pause } from './pause.ts';
import { RunOf, type Ground } from './run-of.ts';
import { forget, receiptsOf, seenBy } from './seen.ts';
import { events, warmUp } from './setup.ts';

/** Who publishes at once. */
export const publishers = 8;

/** After this, what has not arrived counts as late. */
export const longestMs = { allAnswer: 30_000, halfHung: 12_000 };

/** A flush waits no longer for further results. */
const flushMs = 1_200;

/** What one run of one contender came to. */
export interface Speed {
  deliveriesPerSecond: number;
  publishesPerSecond: number;
  /** Milliseconds from the change to its receipt. */
  p50: number;
  p95: number;
  /** For each delivered event; no number for who does not count rows. */
  rowsWritten: number;
  rowsRead: number;
  late: number;
  repeated: number;
}

/** One run over a fresh state, and once more when it breaks, which is told: that says nothing of speed. */
export async function speedOf(contender: Contender, wanted: Case, ground: Ground): Promise<Speed> {
  try {
    return await runOnce(contender, wanted, ground);
  } catch (error) {
    console.log(`  ${contender.name} broke and is run again: ${String(error)}`);
    return runOnce(contender, wanted, ground);
  }
}

/** Warms up, publishes as fast as it is taken, then waits for what can arrive. */
async function runOnce(contender: Contender, wanted: Case, ground: Ground): Promise<Speed> {
  const run = new RunOf(contender, { ...wanted, isKilled: false }, ground);
  try {
    await run.start();
    await warm(run, ground.receivers);
    return await measure(run, wanted, ground.receivers);
  } finally {
    await run.end();
  }
}

async function warm(run: RunOf, receivers: string): Promise<void> {
  await publishAll(run, warmUp.events, events.warmUp);
  while ((await seenBy(receivers)).count < warmUp.deliveries) await pause(20);
  await pause(flushMs);
  await forget(receivers);
}

async function measure(run: RunOf, wanted: Case, receivers: string): Promise<Speed> {
  const total = wanted.events * healthy(wanted);
  const longest = wanted.isHalfHung ? longestMs.halfHung : longestMs.allAnswer;
  const before = await run.cost();
  const startedAt = Date.now();
  await publishAll(run, wanted.events, events.measured);
  const publishedAt = Date.now();
  let seen = await seenBy(receivers);
  while (seen.count < total && Date.now() - startedAt < longest) {
    await pause(20);
    seen = await seenBy(receivers);
  }
  const endedAt = seen.count < total ? Date.now() : seen.lastAt;
  const { waits } = await receiptsOf(receivers);
  await pause(flushMs);
  const after = await run.cost();
  const { repeated } = await seenBy(receivers);
  const quantile = (share: number) =>
    waits.toSorted((one, other) => one - other)[Math.floor(waits.length * share)] ?? Number.NaN;
  const each = (key: keyof typeof after) =>
    ((after[key] ?? Number.NaN) - (before[key] ?? Number.NaN)) / seen.count;
  return {
    deliveriesPerSecond: (seen.count * 1000) / (endedAt - startedAt),
    publishesPerSecond: (wanted.events * 1000) / (publishedAt - startedAt),
    p50: quantile(0.5),
    p95: quantile(0.95),
    rowsWritten: each('rowsWritten'),
    rowsRead: each('rowsRead'),
    late: total - seen.count,
    repeated,
  };
}

async function publishAll(run: RunOf, count: number, event: string): Promise<void> {
  let next = 0;
  const publishing = async () => {
    while (next < count) {
      if (!(await run.publish((next += 1), event))) throw new Error('a publish failed');
    }
  };
  await Promise.all(Array.from({ length: publishers }, publishing));
}
