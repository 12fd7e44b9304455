import { sql, type SQL } from 'drizzle-orm';
import { sealedPrefixOf } from '../base/crypto/seal.ts';
import { log } from '../base/log.ts';
import { versionOf } from '../base/metrics.ts';
import { settingsOf } from '../base/settings.ts';
import { restoringShards, shardBindings } from '../data/core/open-database.ts';
import { prepareSql } from '../data/core/raw.ts';
import { acceptsSchema } from '../data/schema/schema-version.ts';
import {
  declaredChanges,
  finishedChanges,
  isEmptyShard,
  neededChanges,
  type LongChange,
} from '../data/shards/long-changes.ts';

/** Checks at once: the connections of a Worker. */
const checksAtOnce = 6;

/** The shards that one answer covers. Each is a query, and an invocation may make 1,000. */
const shardsPerAnswer = 250;

/** After this time a dependency counts as failed. */
const maxCheckMs = 5_000;

/** The facts that a database reports about itself. */
interface DatabaseFacts {
  schema: number | null;
  /**
   * Of a shard, while the settings have a previous sealing key: when all secrets had the current
   * one.
   */
  resealed_at?: number | null;
  unreadable?: number | null;
  /**
   * Of a shard: a JSON array of the long changes that it has finished, and whether it has no store.
   */
  changes?: string;
  is_empty?: number;
}

/** The report of `/ready`. Names of databases are those of their bindings. */
interface Readiness {
  status: 'ok' | 'failed';
  /** The version of the Worker. */
  version: string;
  checks: Record<string, 'ok' | 'failed' | 'restoring'>;
  /** The version of the schema in each database that responds. */
  schema: Record<string, number | null>;
  /**
   * During a rotation of `SEALING_KEY`: the shards that still need the previous key, and secrets
   * that no key opens.
   */
  sealing?: { shards_left: number; unreadable: number };
  /** The shards that have not finished a long change, by its name. */
  changes?: Record<string, number>;
  /** The first shard that this answer leaves out: `from_shard` of the next request. */
  next_shard?: number;
}

interface Check {
  name: string;
  run: () => Promise<DatabaseFacts | undefined>;
}

/**
 * Checks every dependency, some at a time. Databases must respond and have a schema that this
 * Worker knows; KV and the queues must be bound. A shard must have the long changes that this
 * Worker needs. A shard that is being restored is not asked, and is no failure. Of many shards some
 * are asked, from a number on.
 */
export async function checkReadiness(
  env: Env,
  fromShard = 0,
  declared: readonly LongChange[] = declaredChanges,
): Promise<Readiness> {
  const { checks: waiting, next } = await listChecks(env, fromShard);
  const needed = neededChanges(declared);
  const left = new Map<string, number>();
  const facts = new Map<string, DatabaseFacts>();
  const checks: Readiness['checks'] = {};
  for (const shard of restoringShards(env)) {
    if (shard >= fromShard && shard < (next ?? Infinity)) checks[`store_${shard}`] = 'restoring';
  }
  for (const { name } of waiting) checks[name] = 'failed';
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const { name, run } = check;
      try {
        const found = await withinTime(run());
        if (found) facts.set(name, found);
        if (found && !acceptsSchema(found.schema ?? 0)) throw new Error(`schema ${found.schema}`);
        const unfinished = found ? unfinishedChanges(found, declared) : [];
        for (const change of unfinished) left.set(change, (left.get(change) ?? 0) + 1);
        const missing = unfinished.find((change) => needed.includes(change));
        if (missing !== undefined) throw new Error(`long change ${missing} is not finished`);
        checks[name] = 'ok';
      } catch (error) {
        const reason = String(error).slice(0, 200);
        log('error', 'dependency_not_ready', { dependency: name, reason });
      }
    }
  };
  await Promise.all(Array.from({ length: checksAtOnce }, work));
  const shards = [...facts.values()].filter(({ resealed_at }) => resealed_at !== undefined);
  return {
    status: Object.values(checks).includes('failed') ? 'failed' : 'ok',
    version: versionOf(env),
    checks,
    schema: Object.fromEntries([...facts].map(([name, { schema }]) => [name, schema])),
    ...(next !== undefined && { next_shard: next }),
    ...(left.size > 0 && { changes: Object.fromEntries(left) }),
    ...(shards.length > 0 && {
      sealing: {
        shards_left: shards.filter(({ resealed_at }) => resealed_at === null).length,
        unreadable: shards.reduce((sum, { unreadable }) => sum + (unreadable ?? 0), 0),
      },
    }),
  };
}

/** The names of the changes that a shard has not finished; none of one without stores. */
const unfinishedChanges = (
  { changes, is_empty: isEmpty }: DatabaseFacts,
  declared: readonly LongChange[],
): string[] => {
  if (changes === undefined || isEmpty === 1) return [];
  const finished = new Set(JSON.parse(changes) as string[]);
  return declared.flatMap(({ name }) => (finished.has(name) ? [] : [name]));
};

async function listChecks(
  env: Env,
  fromShard: number,
): Promise<{ checks: Check[]; next: number | undefined }> {
  const { sealingKeys } = settingsOf(env);
  const schema = sql`(select version from schema_version where id = 1) as schema`;
  const changes = sql`${finishedChanges} as changes, ${isEmptyShard} as is_empty`;
  const sealing = (
    prefix: string,
  ) => sql`(select done_at from resealings where prefix = ${prefix}) as resealed_at,
    (select unreadable from resealings where prefix = ${prefix}) as unreadable`;
  const prefix = sealingKeys.previous === undefined ? undefined : await sealedPrefixOf(sealingKeys);
  const ask = (database: D1Database, columns: SQL) =>
    prepareSql(database, sql`select ${columns}`)
      .first<DatabaseFacts>()
      .then((found) => found ?? undefined);
  const shards = [...shardBindings(env)]
    .filter(([shard]) => shard >= fromShard)
    .toSorted(([a], [b]) => a - b);
  const checks = [
    { name: 'directory', run: () => ask(env.DIRECTORY, schema) },
    ...shards.slice(0, shardsPerAnswer).map(([shard, binding]) => ({
      name: `store_${shard}`,
      run: () =>
        prefix === undefined
          ? ask(binding, sql`${schema}, ${changes}`)
          : ask(binding, sql`${schema}, ${changes}, ${sealing(prefix)}`),
    })),
    { name: 'kv', run: () => env.GRANTS.get('ready').then(() => undefined) },
    {
      name: 'queue',
      // Checks that the bindings exist; a test message would wake consumers.
      run: async () => {
        const queues = [env.WAKEUP_FAST_0, env.WAKEUP_SLOW_0, env.WAKEUP_DLQ, env.SWEEP];
        if (queues.some((queue) => typeof queue.send !== 'function')) throw new Error('no queue');
        return undefined;
      },
    },
  ];
  return { checks, next: shards[shardsPerAnswer]?.[0] };
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no response in time')), maxCheckMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
