import { fakeDatabase } from './fake-database.ts';

/**
 * A database that never answers a call for which `stalls` says so; it is asked once for each call.
 */
export function stalledDatabase(
  binding: D1Database,
  stalls: () => boolean = () => true,
): D1Database {
  const wait = () => new Promise<never>(() => {});
  const targets = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const run =
      (name: 'all' | 'first' | 'raw' | 'run') =>
      (...options: []) =>
        stalls()
          ? wait()
          : (statement as unknown as Record<string, () => Promise<unknown>>)[name]?.(...options);
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: run('all'),
      first: run('first'),
      raw: run('raw'),
      run: run('run'),
    } as unknown as D1PreparedStatement;
    targets.set(wrapped, statement);
    return wrapped;
  };
  return fakeDatabase({
    prepare: (text: string) => wrap(binding.prepare(text)),
    batch: (statements: D1PreparedStatement[]) =>
      stalls() ? wait() : binding.batch(statements.map((one) => targets.get(one) ?? one)),
  });
}
