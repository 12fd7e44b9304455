import { hourMs, minuteMs, dayMs } from '../../../../src/base/durations.ts';
import { timeLimits } from '../../../../src/data/core/open-database.ts';
import { assumedCpuMs, prices } from '../../../bench/costs/prices.ts';
import { afterMs, isFar, type DayReport, type SimulatedEvent, type Span } from './run-day.ts';

/** Later than this after its change, an event misses the objective of `src/ops/objectives.ts`. */
const lateAfterMs = 30_000;

/** How long after a fault its backlog may last: two sweeps, and the retry of a batch. */
const recoveryMs = 3 * minuteMs;

const isLate = ({ at, attemptedAt }: SimulatedEvent) =>
  (attemptedAt ?? Infinity) - at > lateAfterMs;

/** Whether a fault was between a change and its first attempt. */
const touches = (span: Span | undefined, { at, attemptedAt = Infinity }: SimulatedEvent) =>
  span !== undefined && at < span.until + recoveryMs && attemptedAt >= span.from;

/**
 * Why an event is late: its own receiver, its own shard, or a release. `undefined` for a reason
 * that nothing explains.
 */
function causeOf({ plan, shards }: DayReport, event: SimulatedEvent) {
  if (event.receiver !== 'well') return `receiver ${event.receiver}`;
  if (event.shard === shards[0] && touches(plan.stall, event)) return 'shard stalled';
  if (isFar(event.shard, plan) && touches(plan.outage, event)) return 'data centre down';
  const { releaseAt } = plan;
  const release = releaseAt === undefined ? undefined : { from: releaseAt, until: releaseAt };
  return touches(release, event) ? 'release' : undefined;
}

export interface Group {
  name: string;
  events: number;
  /** Milliseconds from the change to the first attempt. */
  p50: number;
  p99: number;
  late: number;
  longest: number;
  /** Changes whose caller got an error, or nothing within the limit of a request. */
  refused: number;
  /** What a caller waited for, at the 99th percentile. */
  callerP99: number;
}

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

function groupOf(name: string, events: readonly SimulatedEvent[]): Group {
  const committed = events.filter(({ isCommitted }) => isCommitted);
  const delays = committed
    .flatMap(({ at, attemptedAt }) => (attemptedAt === undefined ? [] : [attemptedAt - at]))
    .toSorted((a, b) => a - b);
  const answers = events.flatMap(({ answeredAfter = Infinity }) =>
    answeredAfter <= timeLimits.change ? [answeredAfter] : [],
  );
  return {
    name,
    events: committed.length,
    p50: percentile(delays, 0.5),
    p99: percentile(delays, 0.99),
    late: committed.filter(isLate).length,
    longest: delays.at(-1) ?? 0,
    refused: events.length - answers.length,
    callerP99: percentile(
      answers.toSorted((a, b) => a - b),
      0.99,
    ),
  };
}

/** The events of receivers that work, by what went on while they were made. */
export function groupsOf(report: DayReport): Group[] {
  const { plan, shards } = report;
  const { stall, outage, releaseAt } = plan;
  const well = report.events.filter(({ receiver }) => receiver === 'well');
  const during = (span: Span | undefined, which: (shard: number) => boolean) =>
    well.filter(({ at, shard }) => span && at >= span.from && at < span.until && which(shard));
  const [first = 0] = shards;
  const release =
    releaseAt === undefined
      ? undefined
      : { from: releaseAt - minuteMs, until: releaseAt + minuteMs };
  const isNear = (shard: number) => !isFar(shard, plan);
  const faults = [stall, outage, release];
  const calm = well.filter(
    ({ at }) => !faults.some((span) => span && at >= span.from && at < span.until),
  );
  return [
    groupOf('without a fault', calm),
    groupOf(
      'shard stalls: the shard',
      during(stall, (shard) => shard === first),
    ),
    groupOf(
      'shard stalls: others of its queue',
      during(stall, (shard) => shard !== first),
    ),
    groupOf(
      'data centre down: its shards',
      during(outage, (shard) => isFar(shard, plan)),
    ),
    groupOf('data centre down: the other one', during(outage, isNear)),
    groupOf(
      'release: all shards',
      during(release, () => true),
    ),
  ];
}

/** Checks of a day, which must all be 0 except for the sum of late events by cause. */
export function accountsOf(report: DayReport) {
  const committed = report.events.filter(({ isCommitted }) => isCommitted);
  const late = committed.filter(isLate);
  const causes: Record<string, number> = {};
  for (const event of late) {
    const cause = causeOf(report, event) ?? 'unexplained';
    causes[cause] = (causes[cause] ?? 0) + 1;
  }
  return {
    committed: committed.length,
    /** Of a receiver that works, and never accepted. */
    lost: committed.filter(
      ({ receiver, acceptedAt }) =>
        (receiver === 'well' || receiver === 'slow') && acceptedAt === undefined,
    ).length,
    /** Sent without a committed change. */
    invented: report.events.filter(({ isCommitted, attempts }) => !isCommitted && attempts > 0)
      .length,
    unfinished: report.unfinished,
    repeated: committed.filter(
      ({ receiver, attempts }) => (receiver === 'well' || receiver === 'slow') && attempts > 1,
    ).length,
    late: late.length,
    causes,
  };
}

/**
 * Throws an error if an event of the day was lost, invented or left, or if nothing explains why one
 * was late.
 */
export function assertAccounts(report: DayReport): void {
  const { lost, invented, unfinished, causes } = accountsOf(report);
  const faults = { lost, invented, unfinished, unexplained: causes.unexplained ?? 0 };
  const found = Object.entries(faults).filter(([, count]) => count > 0);
  if (found.length === 0) return;
  const counts = found.map(([name, count]) => `${count} ${name}`).join(', ');
  throw new Error(`${report.plan.shards} shards: ${counts}`);
}

/**
 * What the whole service uses in a month of such days for deliveries and sweeps: dollars without
 * rows, which `costs.ts` counts.
 */
function monthOf(report: DayReport) {
  const { plan, shards, invocations, sweeps, queues } = report;
  const { from, until } = plan.simulated;
  const hours = plan.hours.filter((_, hour) => hour * hourMs >= from && hour * hourMs < until);
  // Deliveries grow with the orders of the simulated hours, sweeps with their number.
  const ordersFactor =
    (30 * plan.shards) / shards.length / hours.reduce((all, one) => all + one, 0);
  const days = (30 * dayMs) / (until - from + afterMs);
  const sum = (isSweep: boolean) =>
    queues
      .filter(({ name }) => (name === 'sweep') === isSweep)
      .reduce((total, { operations }) => total + operations, 0);
  const millionSweeps = ((sweeps * plan.shards) / shards.length) * (days / 1e6);
  const million = {
    invocations: ((invocations - sweeps) * ordersFactor) / 1e6 + millionSweeps,
    sweeps: millionSweeps,
    // All messages of the sweep are simulated.
    operations: (sum(false) * ordersFactor + sum(true) * days) / 1e6,
  };
  const dollars =
    million.invocations * (prices.requests + assumedCpuMs * prices.cpuMs) +
    million.operations * prices.queueOperations;
  return { ...million, dollars };
}

const seconds = (ms: number) => (ms / 1000).toFixed(ms < 10_000 ? 1 : 0);

/** The rows of a report for `src/ops/SCALE.md`. */
export function formatDay(report: DayReport): string {
  const { plan, databases, queues, sweepMs, logged } = report;
  const fast = queues.find(({ name }) => name === `webhook-fast-${plan.queue}`);
  const sweep = queues.find(({ name }) => name === 'sweep');
  const simulatedMs = plan.simulated.until - plan.simulated.from + afterMs;
  const busiest = Math.max(
    ...databases.map(({ name, busyMs }) => (name === 'directory' ? 0 : busyMs)),
  );
  const directory = databases.find(({ name }) => name === 'directory');
  const month = monthOf(report);
  const accounts = accountsOf(report);
  const share = (ms = 0) => `${((100 * ms) / simulatedMs).toFixed(1)} %`;
  const rows = groupsOf(report).map(
    ({ name, events, p50, p99, longest, late, refused, callerP99 }) =>
      `| ${name} | ${events} | ${seconds(p50)} / ${seconds(p99)} / ${seconds(longest)} | ${late} | ${seconds(callerP99)} | ${refused} |`,
  );
  return [
    `${plan.shards} shards, ${plan.stores} stores; simulated: ${report.shards.length} shards with ${report.simulatedStores} stores, ${simulatedMs / hourMs} hours`,
    '| Events of working receivers | Number | Seconds to the first attempt: p50 / p99 / longest | Late | Caller p99, s | Refused |',
    '|---|---|---|---|---|---|',
    ...rows,
    JSON.stringify(accounts),
    `fast queue: longest backlog ${fast?.longestBacklog}, ${fast?.mostConsumers} consumers; sweep: backlog ${sweep?.longestBacklog}, ${sweep?.mostConsumers} consumers, ${seconds(sweepMs.mean)} s on average, ${seconds(sweepMs.longest)} s the longest`,
    `busy: a shard ${share(busiest)}, the directory ${share(directory?.busyMs)}; longest wait for the thread of the directory ${seconds(directory?.longestWaitMs ?? 0)} s`,
    `a month: ${month.invocations.toFixed(1)} million invocations, of them ${month.sweeps.toFixed(1)} sweeps, ${month.operations.toFixed(1)} million operations of queues, $ ${month.dollars.toFixed(0)} without rows`,
    JSON.stringify(logged),
  ].join('\n');
}
