import { sql } from 'drizzle-orm';
import { dayMs, hourMs, minuteMs } from '../base/durations.ts';
import { versionOf } from '../base/metrics.ts';
import { settingsOf } from '../base/settings.ts';
import { type Database, restoringShards, shardBindings } from '../data/core/open-database.ts';
import { compileSql, parameter, prepareSql, rawDatabaseStatement } from '../data/core/raw.ts';
import { maxBytesOfNewStores } from '../data/directory/choose-shard.ts';
import { daysToFull } from '../data/directory/shard-sizes.ts';
import { shards, ShardState } from '../data/schema/directory/directory-tables.ts';
import { jobs } from '../data/schema/directory/operators-tables.ts';
import { isAtWorkSql, PlacementState } from '../data/schema/store/placement-tables.ts';
import { longChanges } from '../data/schema/store/upkeep-tables.ts';
import { EndpointStatus } from '../data/schema/store/webhooks-tables.ts';
import { declaredChanges } from '../data/shards/long-changes.ts';
import { readMailHealth } from '../mail/outbox.ts';
import { waitingCte } from '../webhooks/delivery/acquire.ts';
import { alertDays } from './shard-record.ts';

/** Databases that are asked at once: the connections of a Worker. */
const asksAtOnce = 6;

/**
 * The databases that one answer asks: four queries each, and an invocation may make 1,000. A page
 * shows as many.
 */
const shardsPerAnswer = 100;

/** Work that waits for this time needs an operator; milliseconds. */
const patienceMs = 10 * minuteMs;

/**
 * The sweep records a shard once an hour (`shard-record.ts`), so its silence counts after that;
 * milliseconds.
 */
const silenceMs = hourMs + patienceMs;

/** The copies of a shard are made each night, so their silence counts after two; milliseconds. */
const copySilenceMs = 2 * dayMs;

/** A job that failed needs somebody for a week; an alarm that never ends is none. */
const failureMs = 7 * dayMs;

/** The size from which a database has little room. It holds 10 GB. */
const largeBytes = 8_000_000_000;

/** How far a long change is in a shard. */
type ChangeRow = Pick<typeof longChanges.$inferSelect, 'name' | 'rows' | 'finished_at'>;

type ShardHealth = Awaited<ReturnType<typeof askShard>>;

/**
 * Reads the waiting work of the databases from a number on. Two round trips to the directory at
 * once, and one to each shard, six at a time. Each reads at most some thousand rows, and one for
 * each store. Of all other databases it judges what the directory knows.
 */
export async function findServiceHealth(
  env: Env,
  directory: Database,
  { now, fromShard = 0 }: { now: number; fromShard?: number | undefined },
) {
  const [mail, [known, [job]]] = await Promise.all([
    readMailHealth(env, now),
    directory.batch([
      directory.select().from(shards).orderBy(shards.number),
      rawDatabaseStatement<{
        open: number;
        failed: number;
        late_copies: number;
        failing: string;
      }>(
        directory,
        sql`select (select count(*) from ${jobs} where finished_at is null and kind <> 'shard_copy') as open,
          (select count(*) from ${jobs} where due_at is not null and kind = 'shard_copy' and coalesce(
            progress ->> '$.lastNight.at', progress ->> '$.startedAt', created_at) < ${now - copySilenceMs}) as late_copies,
          (select json_group_array(shard) from ${jobs} where due_at is not null and kind = 'shard_change'
            and (error is not null or progress ->> '$.isRefused')) as failing,
          (select count(*) from (select state, finished_at from ${jobs} order by id desc limit 1000)
            where state = 'failed' and finished_at > ${now - failureMs}) as failed`,
      ),
    ]),
  ]);
  const fromHere = known.filter(({ number }) => number >= fromShard);
  const asked = fromHere.slice(0, shardsPerAnswer);
  const answers = await askAll(env, asked, now);
  const failing = new Set(JSON.parse(job?.failing ?? '[]') as number[]);
  const health = {
    version: versionOf(env),
    mail: {
      configured: mail.configured,
      waiting: mail.waiting,
      oldest_seconds: secondsSince(mail.oldest, now),
    },
    jobs: { open: job?.open ?? 0, failed: job?.failed ?? 0 },
    copies: {
      configured: settingsOf(env).copies !== undefined,
      late: job?.late_copies ?? 0,
    },
    changes: declaredChanges.map(({ name }) => progressOf(name, answers, failing)),
    shards: answers.map(({ changes: _changes, ...facts }) => facts),
    next_shard: fromHere[shardsPerAnswer]?.number ?? null,
  };
  const unasked = known
    .filter((shard) => !asked.includes(shard))
    .map((shard) => ({ ...factsOf(shard), ...silent, state: undefined }));
  const judged = [...health.shards, ...unasked].toSorted((a, b) => a.shard - b.shard);
  const findings = findFindings({ ...health, shards: judged }, now);
  return {
    status: findings.length > 0 ? ('attention' as const) : ('ok' as const),
    problems: findings.map(({ kind, number }) => sentences[kind](number)),
    findings,
    ...health,
  };
}

/**
 * How far a long change is in the shards, and in which of them its job fails. One without stores
 * has nothing to change.
 */
const progressOf = (
  name: string,
  answers: readonly ShardHealth[],
  failing: ReadonlySet<number>,
) => {
  const rowOf = ({ changes }: ShardHealth) => changes.find((row) => row.name === name);
  const isFinished = (answer: ShardHealth) =>
    (rowOf(answer)?.finished_at ?? null) !== null || (answer.state === 'ok' && answer.stores === 0);
  const unfinished = answers.filter((answer) => !isFinished(answer)).map(({ shard }) => shard);
  return {
    name,
    finished: answers.length - unfinished.length,
    unfinished,
    failing: unfinished.filter((shard) => failing.has(shard)),
    rows: answers.reduce((sum, answer) => sum + (rowOf(answer)?.rows ?? 0), 0),
  };
};

const secondsSince = (at: number | null, now: number) =>
  at === null ? 0 : Math.max(0, Math.floor((now - at) / 1000));

type KnownShard = typeof shards.$inferSelect;

async function askAll(env: Env, known: readonly KnownShard[], now: number) {
  const answers: ShardHealth[] = [];
  const queue = [...known.entries()];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      answers[next[0]] = await askShard(env, next[1], now);
    }
  };
  await Promise.all(Array.from({ length: asksAtOnce }, work));
  return answers;
}

/** Facts of a shard as the directory has them. */
const factsOf = ({ number, state, bytes, growth, stores, seen_at }: KnownShard) => ({
  shard: number,
  open: state === ShardState.open && bytes < maxBytesOfNewStores,
  bytes,
  days_to_full: daysToFull({ bytes, growth }),
  stores,
  swept_at: seen_at === 0 ? null : seen_at,
});

/** Facts that only the shard itself knows. */
const silent = {
  backlog: null,
  oldest_seconds: null,
  timers_late_seconds: null,
  changes: [] as ChangeRow[],
};

async function askShard(env: Env, shard: KnownShard, now: number) {
  const { number } = shard;
  const facts = factsOf(shard);
  if (restoringShards(env).has(number)) return { ...facts, ...silent, state: 'restoring' as const };
  const binding = shardBindings(env).get(number);
  try {
    if (!binding) throw new Error('no binding');
    const [backlog, timers, placed, changes] = await binding.batch<
      Partial<ChangeRow> & { oldest?: number | null; backlog?: number; stores?: number }
    >([
      selectBacklog(binding, { now }),
      prepareSql(binding, sql`select min(due_at) as oldest from timer_bounds where due_at > 0`),
      prepareSql(
        binding,
        sql`select count(*) as stores from placements where state = ${PlacementState.here}`,
      ),
      prepareSql(binding, sql`select name, rows, finished_at from ${longChanges}`),
    ]);
    return {
      ...facts,
      // As they are now; the record of the directory is up to an hour old.
      stores: placed?.results[0]?.stores ?? facts.stores,
      bytes: placed?.meta.size_after ?? facts.bytes,
      state: 'ok' as const,
      backlog: backlog?.results[0]?.backlog ?? 0,
      oldest_seconds: secondsSince(backlog?.results[0]?.oldest ?? null, now),
      timers_late_seconds: secondsSince(timers?.results[0]?.oldest ?? null, now),
      changes: (changes?.results ?? []) as ChangeRow[],
    };
  } catch {
    return { ...facts, ...silent, state: 'failed' as const };
  }
}

type Health = Awaited<ReturnType<typeof findServiceHealth>>;

/** A finding for an operator: `number` is that of a database, or a count. */
interface HealthFinding {
  kind: keyof typeof sentences;
  number: number;
}

/** In English, for the API; pages have sentences of their own. */
const sentences = {
  noSender: () => 'No sender of mails is set up: invitations and resets wait.',
  mailsWait: () => 'Mails wait for more than ten minutes.',
  jobsFailed: (count: number) => `${count} jobs failed within a week.`,
  copiesLate: (count: number) => `The copies of ${count} databases are older than two days.`,
  silent: (shard: number) => `Database ${shard} does not respond.`,
  restoring: (shard: number) => `Database ${shard} is being restored.`,
  unswept: (shard: number) => `Database ${shard} has had no upkeep for more than an hour.`,
  timersLate: (shard: number) =>
    `Captures, reminders or expiries of database ${shard} are late by more than ten minutes.`,
  deliveriesWait: (shard: number) =>
    `Deliveries of database ${shard} wait for more than ten minutes.`,
  fullSoon: (shard: number) =>
    `Database ${shard} will be full in less than 46 days: move stores away.`,
  large: (shard: number) => `Database ${shard} is nearly full: move stores away.`,
} as const;

/** A shard to judge. One that was not asked has no state. */
type JudgedShard = Omit<Health['shards'][number], 'state'> & {
  state: ShardHealth['state'] | undefined;
};

function findFindings(
  {
    mail,
    jobs: counts,
    copies,
    shards: all,
  }: Pick<Health, 'mail' | 'jobs' | 'copies'> & {
    shards: readonly JudgedShard[];
  },
  now: number,
): HealthFinding[] {
  const patience = patienceMs / 1000;
  const isLate = mail.configured && mail.oldest_seconds > patience;
  const findings: (HealthFinding & { isTrue: boolean })[] = [
    { kind: 'noSender', number: 0, isTrue: !mail.configured },
    { kind: 'mailsWait', number: mail.waiting, isTrue: isLate },
    { kind: 'jobsFailed', number: counts.failed, isTrue: counts.failed > 0 },
    { kind: 'copiesLate', number: copies.late, isTrue: copies.late > 0 },
    ...all.flatMap(({ shard: number, state, swept_at, bytes, oldest_seconds, ...shard }) => {
      const mayAnswer = state === 'ok' || state === undefined;
      const isUnswept = mayAnswer && swept_at !== null && swept_at < now - silenceMs;
      const isTimerLate = (shard.timers_late_seconds ?? 0) > patience;
      return [
        { kind: 'silent', number, isTrue: state === 'failed' } as const,
        { kind: 'restoring', number, isTrue: state === 'restoring' } as const,
        { kind: 'unswept', number, isTrue: isUnswept } as const,
        { kind: 'deliveriesWait', number, isTrue: (oldest_seconds ?? 0) > patience } as const,
        { kind: 'timersLate', number, isTrue: isTimerLate } as const,
        { kind: 'large', number, isTrue: bytes > largeBytes } as const,
        {
          kind: 'fullSoon',
          number,
          isTrue: (shard.days_to_full ?? Infinity) <= alertDays,
        } as const,
      ];
    }),
  ];
  return findings.flatMap(({ isTrue, ...finding }) => (isTrue ? [finding] : []));
}

/** Endpoints with open deliveries that are looked at, by id. */
const maxBacklog = 1_000;

/**
 * The endpoints of a shard whose deliveries are due, and since when. Reads two rows per endpoint
 * with open deliveries.
 */
export const selectBacklog = compileSql<{ now: number }>(sql`${waitingCte(0, maxBacklog)}
  select min(endpoint.next_attempt_at) as oldest, count(*) as backlog
  from waiting join webhook_endpoints endpoint on endpoint.id = waiting.id
  where endpoint.next_attempt_at <= ${parameter('now')} and endpoint.lease_until <= ${parameter('now')} and endpoint.status = ${EndpointStatus.active}
    and ${isAtWorkSql('endpoint.store_id')}`);
