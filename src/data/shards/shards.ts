import { serviceUnavailable } from '../../base/errors.ts';

/** Numbers of the shards that are being restored (variable `RESTORING_SHARDS`); nothing may touch them until that is done. */
export function restoringShards({
  RESTORING_SHARDS: numbers = '',
}: Partial<Env>): ReadonlySet<number> {
  return numbers.length === 0 ? none : new Set(numbers.split(' ').filter(Boolean).map(Number));
}

const none: ReadonlySet<number> = new Set();

/** The number of the shard with a binding of this name; `undefined` for another kind of binding. */
export function shardOfBinding(name: string): number | undefined {
  const number = /^STORE_(\d+)$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** The bindings `STORE_0`, `STORE_1`, ... by shard number, without the shards that are being restored. */
export function shardBindings(env: Env): Map<number, D1Database> {
  const bindings = new Map<number, D1Database>();
  const restoring = restoringShards(env);
  for (const [name, binding] of Object.entries(env)) {
    const shard = shardOfBinding(name);
    // A binding of this name is a D1 database in every configuration (wrangler.toml).
    if (shard !== undefined && !restoring.has(shard)) bindings.set(shard, binding as D1Database);
  }
  return bindings;
}

/** Whether the deployment has a shard of this number. A token can name any number if its key leaked. */
export const hasShard = (env: Env, shard: number) => `STORE_${shard}` in env;

/** The database of one shard. Throws a 503 while that shard is being restored. */
export function shardBinding(env: Env, shard: number): D1Database {
  if (restoringShards(env).has(shard)) throw serviceUnavailable();
  const binding = (env as unknown as Record<string, D1Database | undefined>)[`STORE_${shard}`];
  if (!binding) throw new Error(`no binding STORE_${shard}`);
  return binding;
}
