import { unavailable } from '../problem.ts';

/** Numbers of the shards that are being restored (the variable `RESTORING`): nothing touches them meanwhile. */
export function restoring({ RESTORING: numbers = '' }: Partial<Env>): ReadonlySet<number> {
  return new Set(numbers.split(' ').filter(Boolean).map(Number));
}

/** The databases of the data plane by their number: the bindings `STORE_0`, `STORE_1`, ..., but those being restored. */
export function shardBindings(env: Env): Map<number, D1Database> {
  const found = new Map<number, D1Database>();
  const away = restoring(env);
  for (const [name, binding] of Object.entries(env)) {
    const number = /^STORE_(\d+)$/.exec(name)?.[1];
    // A binding of this name is a D1 database in every configuration (wrangler.toml).
    if (number !== undefined && !away.has(Number(number)))
      found.set(Number(number), binding as D1Database);
  }
  return found;
}

/** {@link shardBindings} for what must reach every shard. Throws a 503 while one is being restored. */
export function everyShard(env: Env): Map<number, D1Database> {
  if (restoring(env).size > 0) throw unavailable();
  return shardBindings(env);
}

/** The database that holds the stores of one shard. Throws a 503 while it is being restored. */
export function shardBinding(env: Env, shard: number): D1Database {
  if (restoring(env).has(shard)) throw unavailable();
  const binding = (env as unknown as Record<string, D1Database | undefined>)[`STORE_${shard}`];
  if (!binding) throw new Error(`no binding STORE_${shard}`);
  return binding;
}
