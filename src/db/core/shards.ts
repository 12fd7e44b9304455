import { serviceUnavailable } from '../../errors.ts';

/** Numbers of the shards that are being restored (variable `RESTORING_SHARDS`); nothing may touch them until that is done. */
export function restoringShards({
  RESTORING_SHARDS: numbers = '',
}: Partial<Env>): ReadonlySet<number> {
  return new Set(numbers.split(' ').filter(Boolean).map(Number));
}

/** The bindings `STORE_0`, `STORE_1`, ... by shard number, without the shards that are being restored. */
export function shardBindings(env: Env): Map<number, D1Database> {
  const bindings = new Map<number, D1Database>();
  const restoring = restoringShards(env);
  for (const [name, binding] of Object.entries(env)) {
    const shard = /^STORE_(\d+)$/.exec(name)?.[1];
    // A binding of this name is a D1 database in every configuration (wrangler.toml).
    if (shard !== undefined && !restoring.has(Number(shard))) {
      bindings.set(Number(shard), binding as D1Database);
    }
  }
  return bindings;
}

/** {@link shardBindings} for work that must reach every shard. Throws a 503 while a shard is being restored. */
export function allShardBindings(env: Env): Map<number, D1Database> {
  if (restoringShards(env).size > 0) throw serviceUnavailable();
  return shardBindings(env);
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
