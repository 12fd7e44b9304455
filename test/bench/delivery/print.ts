import { describeCase, rounds, type BenchCase } from './cases.ts';
import type { KillResult } from './kills.ts';
import { warmUp } from './setup.ts';
import { longestMs, publishers, type SpeedResult } from './speed.ts';

const width = 17;

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * The lowest ratio of our deliveries per second to those of the plain Worker; below it the
 * benchmark fails.
 */
const leastOfPlain = 0.9;

/**
 * Prints the medians of a case by contender, ours last, and the median ratio of ours to each other
 * contender. Fails the process if ours is too slow beside the plain Worker.
 */
export function printSpeeds(
  benchCase: BenchCase,
  results: ReadonlyMap<string, readonly SpeedResult[]>,
): void {
  console.log(describeCase(benchCase));
  for (const [name, runs] of results) {
    const value = (key: keyof SpeedResult, digits = 0) => {
      const middle = median(runs.map((run) => run[key]));
      return (Number.isNaN(middle) ? '-' : middle.toFixed(digits)).padStart(6);
    };
    console.log(
      `  ${name.padEnd(width)}${value('deliveriesPerSecond')} deliveries/s ${value('publishesPerSecond')} publishes/s  p50 ${value('p50')} ms  p95 ${value('p95')} ms  rows written ${value('rowsWritten', 2)} read ${value('rowsRead', 1)} late ${value('late')} repeated ${value('repeated')}`,
    );
  }
  const [ours, ...peers] = [...results].toReversed();
  const ratios = peers.map(([name, runs]) => {
    const paired = runs.map(
      (run, round) =>
        (ours?.[1][round]?.deliveriesPerSecond ?? Number.NaN) / run.deliveriesPerSecond,
    );
    return { name, ratio: median(paired) };
  });
  const texts = ratios.map(({ name, ratio }) => `${ratio.toFixed(2)} of ${name}`);
  console.log(`  ours: ${texts.toReversed().join(', ')}`);
  if (!ratios.some(({ name, ratio }) => name === 'plain' && ratio < leastOfPlain)) return;
  console.log(`  too slow: the least is ${leastOfPlain} of plain`);
  process.exitCode = 1;
}

/** Prints what each contender lost in three kills. */
export function printKills(endpoints: number, results: ReadonlyMap<string, KillResult>): void {
  console.log(`${endpoints} endpoint${endpoints === 1 ? '' : 's'}, killed three times under load`);
  for (const [name, { acknowledged, expected, lost, repeated }] of results) {
    const note = name === 'plain' ? '  (its local queue is in memory)' : '';
    console.log(
      `  ${name.padEnd(width)}${String(lost).padStart(6)} lost of ${expected} receipts of ${acknowledged} acknowledged events, repeated ${repeated}${note}`,
    );
  }
}

/** Prints how the speed figures are measured. */
export function explainSpeeds(): void {
  console.log(
    `Medians of ${rounds} interleaved rounds on fresh states, with ${publishers} publishers at full speed. Latencies are from the change to the receipt, under that load.
Each contender first delivers ${warmUp.deliveries} events to other endpoints. Rows are per delivered event; those of deliveries to hung receivers are included. A delivery is late after ${longestMs.allRespond / 1000} s, with hung receivers after ${longestMs.halfHung / 1000} s.
Concurrency: ours the queue of one shard with 5 sends per run, plus runs that only wait; the plain Worker 4 queues with 6; BullMQ 2 worker processes with 10, next to SQLite (WAL) in the same process and Redis (aof: appendfsync everysec, the durable peer; rdb: Debian's default).
Goal: 1.0 of the deliveries per second of the durable peer, at least ${leastOfPlain} of the plain Worker, and at most 8 rows written per delivery.`,
  );
}

/** Prints how the kills are measured. */
export function explainKills(): void {
  console.log(
    `Kills: SIGKILL to all processes of a contender, Redis included, at three random times that are the same for all; then a restart on the same state. Goal: nothing lost.
The machine stays up, so data in the disk cache survives. Cron runs every 1 s; the lease of an endpoint and the lock of a job last 2 s. The local queue of the plain Worker is in memory and loses its messages. In production it is durable, but a crash between the change and the send still loses events.`,
  );
}
