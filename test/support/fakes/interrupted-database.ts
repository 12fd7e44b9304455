/** A database that does something else first before one of its batches, counted from 1. */
export function interruptedDatabase(
  binding: D1Database,
  number: number,
  interrupt: () => Promise<unknown>,
) {
  let batches = 0;
  return new Proxy(binding, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      if (name !== 'batch') return value.bind(target) as unknown;
      return async (statements: D1PreparedStatement[]) => {
        batches += 1;
        if (batches === number) await interrupt();
        return target.batch(statements);
      };
    },
  });
}
