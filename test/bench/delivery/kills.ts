import { wait, ContenderRun, type RunContext } from './contender-run.ts';
import type { DeliveryContender } from './contenders/contenders.ts';
import { fetchReceipts, fetchReceiptCounts } from './receipts.ts';

/**
 * Requested deliveries per second: about the maximum of all contenders, so that every kill
 * interrupts some.
 */
const requestedPerSecond = 1_500;

/**
 * A delivery is lost after this silence: longer than leases, locks and first retries of a killed
 * run.
 */
const quietMs = 7_000;

/** The result of a run with three kills. */
export interface KillResult {
  acknowledged: number;
  /** Expected receipts of the acknowledged events. */
  expected: number;
  lost: number;
  /** Receipts that a receiver already had. */
  repeated: number;
}

/** Draws the times of the kills, in milliseconds after each start. */
export const drawKills = () => [0, 1, 2].map(() => 500 + Math.random() * 2_000);

/**
 * Kills a contender under load, restarts it on the same state each time, and counts lost
 * deliveries.
 */
export async function measureKills(
  contender: DeliveryContender,
  { endpoints, kills }: { endpoints: number; kills: readonly number[] },
  context: RunContext,
): Promise<KillResult> {
  const options = { endpoints, delayMs: 10, isHalfHung: false, isKilled: true };
  const run = new ContenderRun(contender, options, context);
  try {
    await run.start();
    const stopLoad = startLoad(run, endpoints);
    for (const moment of kills) {
      await wait(moment);
      await run.kill();
      await run.start();
    }
    await wait(500);
    const acknowledged = await stopLoad();
    const lost = await countLost(acknowledged, endpoints, context.receivers);
    const { repeated } = await fetchReceiptCounts(context.receivers);
    const expected = acknowledged.length * endpoints;
    return { acknowledged: acknowledged.length, expected, lost, repeated };
  } finally {
    await run.end();
  }
}

/** Publishes until the returned function is called, which resolves with the acknowledged events. */
function startLoad(run: ContenderRun, endpoints: number): () => Promise<number[]> {
  const acknowledged: number[] = [];
  let next = 0;
  let isLoading = true;
  const publishers = endpoints < 1_000 ? 8 : 1;
  const intervalMs = (publishers * endpoints * 1000) / requestedPerSecond;
  const publishLoop = async (index: number) => {
    await wait((intervalMs * index) / publishers);
    while (isLoading) {
      const n = (next += 1);
      const isAcknowledged = await run.publish(n).catch(() => false);
      if (isAcknowledged) acknowledged.push(n);
      await wait(isAcknowledged ? intervalMs : 50);
    }
  };
  const all = Array.from({ length: publishers }, (_, index) => publishLoop(index));
  return async () => {
    isLoading = false;
    await Promise.all(all);
    return acknowledged;
  };
}

/**
 * Waits until all receipts have arrived or none has for `quietMs`. Returns the number of missing
 * ones.
 */
async function countLost(events: number[], endpoints: number, receivers: string): Promise<number> {
  const missing = async () => {
    const pairs = new Set((await fetchReceipts(receivers)).pairs);
    return events
      .flatMap((n) => Array.from({ length: endpoints }, (_, to) => `${n} ${to}`))
      .filter((pair) => !pairs.has(pair)).length;
  };
  let left = await missing();
  while (left > 0 && Date.now() - (await fetchReceiptCounts(receivers)).lastAt < quietMs) {
    await wait(250);
    left = await missing();
  }
  // Repeated deliveries arrive after leases and locks have expired.
  await wait(4_000);
  return left;
}
