/** A database that does something else first before one of its batches, counted from 1. */
export function interruptedDatabase(
  binding: D1Database,
  number: number,
  interrupt: () => Promise<unknown>,
) {
  let batches = 0;
  const watch = <T extends D1Database | D1DatabaseSession>(database: T): T =>
    new Proxy(database, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        if (name === 'withSession') {
          return (start: string) => watch((target as D1Database).withSession(start));
        }
        if (name !== 'batch') return value.bind(target) as unknown;
        return async (statements: D1PreparedStatement[]) => {
          batches += 1;
          if (batches === number) await interrupt();
          return target.batch(statements);
        };
      },
    });
  return watch(binding);
}
