import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { settingsOf } from '../../src/base/settings.ts';
import type { ActionContext } from '../../src/data/audit/action.ts';
import { openDatabase, shardBinding } from '../../src/data/core/open-database.ts';
import type { Job } from '../../src/data/directory/job.ts';
import { jobs } from '../../src/data/schema/directory/operators-tables.ts';
import { runJobs } from '../../src/ops/jobs/run-jobs.ts';
import { tidyMoves } from '../../src/stores/move/tidy.ts';
import { upTo } from './transfers/catalog.ts';

/**
 * The context of an action of an operator at a time (epoch milliseconds). Deferred work is dropped.
 */
export const operatorAction = (now = Date.now()): ActionContext => ({
  env,
  settings: settingsOf(env),
  directory: openDatabase(env.DIRECTORY),
  now,
  actor: { kind: 'operator', id: '1', name: 'Olga', userId: 1 },
  from: { country: null, network: null },
  defer: () => undefined,
});

export const readJob = async ({ id }: Pick<Job, 'id'>): Promise<Job> => {
  const [job] = await openDatabase(env.DIRECTORY).select().from(jobs).where(eq(jobs.id, id));
  if (!job) throw new Error('no such job');
  return job;
};

/** The sweep of a shard, as far as jobs and moves go, at a time (epoch milliseconds). */
export async function sweepJobs(shard: number, now: number, bindings: Env = env): Promise<void> {
  const context = {
    env: bindings,
    shard,
    db: shardBinding(bindings, shard),
    now: () => now,
    hasTime: () => true,
  };
  await runJobs(context);
  await tidyMoves(context);
}

const minute = 60_000;

/** Sweeps each two minutes from a time on until a job has ended, and returns it. */
export async function finishJob(
  job: Job,
  from: number,
  rounds = 12,
  bindings: Env = env,
): Promise<Job> {
  for (const round of upTo(rounds)) {
    await sweepJobs(job.shard, from + 2 * minute * (round - 1), bindings);
    const now = await readJob(job);
    if (now.finished_at !== null) return now;
  }
  return readJob(job);
}

const lost = () => new Error('D1_ERROR: Network connection lost.');

const workingMethods: ReadonlySet<string> = new Set([
  'all',
  'batch',
  'delete',
  'first',
  'get',
  'list',
  'put',
  'raw',
  'run',
]);

/**
 * The bindings until the response to a call of a database, bucket or namespace is lost, and none
 * after it: the process has died. `calls` counts them.
 */
export function dyingBindings(last: number, base: Env = env) {
  const calls = { count: 0 };
  const originals = new WeakMap<object, object>();
  const unwrap = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(unwrap)
      : typeof value === 'object' && value !== null
        ? (originals.get(value) ?? value)
        : value;
  const wrap = <T extends object>(target: T): T => {
    const wrapped = new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name, of);
        if (typeof value !== 'function') return value;
        const method = (...values: unknown[]): unknown =>
          Reflect.apply(value, of, values.map(unwrap));
        if (name === 'bind' || name === 'prepare') {
          return (...values: unknown[]) => wrap(method(...values) as object);
        }
        if (typeof name !== 'string' || !workingMethods.has(name)) return method;
        return async (...values: unknown[]) => {
          calls.count += 1;
          if (calls.count > last) throw lost();
          const result = await method(...values);
          if (calls.count === last) throw lost();
          return result;
        };
      },
    });
    originals.set(wrapped, target);
    return wrapped;
  };
  const shards = Object.entries(base).filter(([name]) => /^STORE_\d+$/.test(name));
  const bindings = {
    ...base,
    DIRECTORY: wrap(base.DIRECTORY),
    ...Object.fromEntries(shards.map(([name, db]) => [name, wrap(db as D1Database)])),
    ARCHIVE: wrap(base.ARCHIVE),
    GRANTS: wrap(base.GRANTS),
  } as Env;
  return { bindings, calls };
}
