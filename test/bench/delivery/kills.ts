import type { Contender } from './contenders.ts';
import { pause } from './pause.ts';
import { RunOf, type Ground } from './run-of.ts';
import { receiptsOf, seenBy } from './seen.ts';

/** Deliveries a second that are asked for: about what anybody here manages, so that every kill meets some under way. */
const askedPerSecond = 1_500;

/** Who stays away so long is not coming any more: longer than leases, locks and first retries of a killed run. */
const quietMs = 7_000;

/** What a run with three kills came to. */
export interface Survived {
  acknowledged: number;
  /** Receipts that those events should have come to. */
  expected: number;
  lost: number;
  /** Receipts of what its receiver had already. */
  repeated: number;
}

/** When to kill, in milliseconds after each start, between half a second and two and a half; drawn anew each time. */
export const drawKills = () => [0, 1, 2].map(() => 500 + Math.random() * 2_000);

/** Kills a contender under load, each time starting it again over the same state, and counts what was lost. */
export async function survivedBy(
  contender: Contender,
  { endpoints, kills }: { endpoints: number; kills: readonly number[] },
  ground: Ground,
): Promise<Survived> {
  const wanted = { endpoints, delayMs: 10, isHalfHung: false, isKilled: true };
  const run = new RunOf(contender, wanted, ground);
  try {
    await run.start();
    const stopLoad = load(run, endpoints);
    for (const moment of kills) {
      await pause(moment);
      await run.kill();
      await run.start();
    }
    await pause(500);
    const acknowledged = await stopLoad();
    const lost = await lostOf(acknowledged, endpoints, ground.receivers);
    const { repeated } = await seenBy(ground.receivers);
    const expected = acknowledged.length * endpoints;
    return { acknowledged: acknowledged.length, expected, lost, repeated };
  } finally {
    await run.end();
  }
}

/** Publishes until the answer is called, which resolves with the events that were acknowledged. */
function load(run: RunOf, endpoints: number): () => Promise<number[]> {
  const acknowledged: number[] = [];
  let next = 0;
  let isLoading = true;
  const publishers = endpoints < 1_000 ? 8 : 1;
  const eachMs = (publishers * endpoints * 1000) / askedPerSecond;
  const publishing = async (index: number) => {
    await pause((eachMs * index) / publishers);
    while (isLoading) {
      const n = (next += 1);
      const isTaken = await run.publish(n).catch(() => false);
      if (isTaken) acknowledged.push(n);
      await pause(isTaken ? eachMs : 50);
    }
  };
  const all = Array.from({ length: publishers }, (_, index) => publishing(index));
  return async () => {
    isLoading = false;
    await Promise.all(all);
    return acknowledged;
  };
}

/** How many receipts of these events are missing once nothing has come for a while, or none is. */
async function lostOf(events: number[], endpoints: number, receivers: string): Promise<number> {
  const missing = async () => {
    const pairs = new Set((await receiptsOf(receivers)).pairs);
    return events
      .flatMap((n) => Array.from({ length: endpoints }, (_, to) => `${n} ${to}`))
      .filter((pair) => !pairs.has(pair)).length;
  };
  let left = await missing();
  while (left > 0 && Date.now() - (await seenBy(receivers)).lastAt < quietMs) {
    await pause(250);
    left = await missing();
  }
  // What is sent twice comes again once leases and locks have run out.
  await pause(4_000);
  return left;
}
