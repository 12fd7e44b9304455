/**
 * Makes text a statement of a database. The only place that does, so that all SQL is written in one of two ways: with
 * Drizzle's builder, or tagged (`raw.ts`). Lint refuses others (`oxlint.config.ts`).
 */
export const prepareText = (binding: Pick<D1Database, 'prepare'>, text: string) =>
  binding.prepare(text);

/**
 * The same database, for work that must stop under a condition. Each of its writes is one batch that begins with `guard`, a
 * statement that may abort it. Reads run as they are.
 */
export function withGuardedWrites(db: D1Database, guard: D1PreparedStatement): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const batch = async <T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> => {
    const all = statements.map((statement) => originals.get(statement) ?? statement);
    return (await db.batch<T>([guard, ...all])).slice(1);
  };
  const guarded = (statement: D1PreparedStatement): D1PreparedStatement => {
    const run = async <T>() => (await batch<T>([statement]))[0];
    const made = {
      bind: (...values: unknown[]) => guarded(statement.bind(...values)),
      run,
      all: run,
      raw: async () =>
        ((await run<Record<string, unknown>>())?.results ?? []).map((row) => Object.values(row)),
      first: async (column?: string) => {
        const [row] = (await run<Record<string, unknown>>())?.results ?? [];
        return row === undefined ? null : column === undefined ? row : row[column];
      },
    } as unknown as D1PreparedStatement;
    originals.set(made, statement);
    return made;
  };
  const client = {
    prepare: (text: string) => {
      const statement = prepareText(db, text);
      return /^\s*select\b/i.test(text) ? statement : guarded(statement);
    },
    batch,
  };
  return client as unknown as D1Database;
}
