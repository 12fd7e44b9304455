import { described, rounds, type Case } from './cases.ts';
import type { Survived } from './kills.ts';
import { warmUp } from './setup.ts';
import { longestMs, publishers, type Speed } from './speed.ts';

const width = 17;

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Prints the runs of a case by contender, ours last: medians, and the medians of what each round's pair came to. */
export function printSpeeds(wanted: Case, results: ReadonlyMap<string, readonly Speed[]>): void {
  console.log(described(wanted));
  for (const [name, runs] of results) {
    const value = (key: keyof Speed, digits = 0) => {
      const middle = median(runs.map((run) => run[key]));
      return (Number.isNaN(middle) ? '-' : middle.toFixed(digits)).padStart(6);
    };
    console.log(
      `  ${name.padEnd(width)}${value('deliveriesPerSecond')} deliveries/s ${value('publishesPerSecond')} publishes/s  p50 ${value('p50')} ms  p95 ${value('p95')} ms  rows written ${value('rowsWritten', 2)} read ${value('rowsRead', 1)} late ${value('late')} twice ${value('repeated')}`,
    );
  }
  const [ours, ...peers] = [...results].toReversed();
  const ratios = peers.map(([name, runs]) => {
    const paired = runs.map(
      (run, round) =>
        (ours?.[1][round]?.deliveriesPerSecond ?? Number.NaN) / run.deliveriesPerSecond,
    );
    return `${median(paired).toFixed(2)} of ${name}`;
  });
  console.log(`  ours: ${ratios.toReversed().join(', ')}`);
}

/** Prints what three kills cost each contender. */
export function printSurvived(endpoints: number, results: ReadonlyMap<string, Survived>): void {
  console.log(`${endpoints} endpoint${endpoints === 1 ? '' : 's'}, killed three times under load`);
  for (const [name, { acknowledged, expected, lost, repeated }] of results) {
    const note = name === 'plain' ? '  (its queue is in memory here)' : '';
    console.log(
      `  ${name.padEnd(width)}${String(lost).padStart(6)} lost of ${expected} receipts of ${acknowledged} acknowledged events, twice ${repeated}${note}`,
    );
  }
}

/** Prints what the figures of the timed cases are worth. */
export function explainSpeeds(): void {
  console.log(
    `Interleaved rounds (${rounds}) on fresh states, ${publishers} publishers as fast as they are taken, medians; waits are from the change to the receipt, under that load.
Everybody delivers ${warmUp.deliveries} to other endpoints before the clock starts. Rows are for each delivered event; those of what waits for hung receivers count as well. Late is what has not come after ${longestMs.allAnswer / 1000} s, with hung receivers ${longestMs.halfHung / 1000} s.
At once: ours 4 queues with 5 sends a run, and runs that can only wait go on beside these; the plain Worker 4 with 6, BullMQ 2 worker processes with 10, beside SQLite (WAL) in the same process, and Redis (aof: appendfsync everysec, the durable peer; rdb: Debian's default).
Aim: 1.0 of the deliveries a second of the durable peer, at most 8 rows written for each.`,
  );
}

/** Prints what the figures of the kills are worth. */
export function explainKills(): void {
  console.log(
    `Kills: SIGKILL to all processes of a contender, Redis included, three times at moments that are drawn and the same for all, and a start over the same state. Aim: nothing lost.
The machine stays up, so what was handed to the disk's cache survives. Cron, and the lease of a lane or the lock of a job, are shortened to 1 s and 2 s. The plain Worker's queue is in memory here and loses all it holds; in production it is durable, but what dies between the change and the send is lost there too.`,
  );
}
