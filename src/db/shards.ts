/** The databases of the data plane by their number: the bindings `STORE_0`, `STORE_1`, ... */
export function shardBindings(env: Env): Map<number, D1Database> {
  const found = new Map<number, D1Database>();
  for (const [name, binding] of Object.entries(env)) {
    const number = /^STORE_(\d+)$/.exec(name)?.[1];
    // A binding of this name is a D1 database in every configuration (wrangler.toml).
    if (number !== undefined) found.set(Number(number), binding as D1Database);
  }
  return found;
}

/** The database that holds the stores of one shard. */
export function shardBinding(env: Env, shard: number): D1Database {
  const binding = (env as unknown as Record<string, D1Database | undefined>)[`STORE_${shard}`];
  if (!binding) throw new Error(`no binding STORE_${shard}`);
  return binding;
}
