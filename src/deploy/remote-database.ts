import * as z from 'zod';
import type { DeployRun } from './run.ts';

const results = z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) }));

interface Query {
  sql: string;
  params: unknown[];
}

const toLiteral = (value: unknown): string =>
  typeof value === 'number'
    ? String(value)
    : value === null
      ? 'null'
      : `'${String(value).replaceAll("'", "''")}'`;

/**
 * Writes the parameters into a statement: the API takes texts only, which SQLite does not always
 * compare as numbers.
 */
function inlineParams({ sql, params }: Query): { sql: string } {
  const values = params.values();
  const quotedOrOpen = /'(?:[^']|'')*'|"[^"]*"|\?/g;
  return {
    sql: sql.replaceAll(quotedOrOpen, (part) =>
      part === '?' ? toLiteral(values.next().value) : part,
    ),
  };
}

/**
 * A database of the account as the Worker has it, by the API of the platform. It is for work on a
 * shard that no Worker may touch. A batch is one call, and one transaction.
 */
export function remoteDatabase({ api, ids }: DeployRun, binding: string): D1Database {
  const path = `/d1/database/${ids.databases[binding]}/query`;
  const queries = new WeakMap<object, Query>();
  const ask = async (asked: readonly Query[]) => {
    const batch = asked.map(inlineParams);
    const [only] = batch;
    const body = batch.length === 1 && only ? only : { batch };
    const answers = results.parse(await api.call({ method: 'POST', path, body }));
    return answers.map((answer) => ({ ...answer, success: true, meta: { changes: 1 } }));
  };
  const statement = (query: Query): D1PreparedStatement => {
    const all = async () => (await ask([query]))[0];
    const rows = async () => (await all())?.results ?? [];
    const made = {
      bind: (...params: unknown[]) => statement({ sql: query.sql, params }),
      all,
      run: all,
      raw: async () => (await rows()).map((row) => Object.values(row)),
      first: async () => (await rows())[0] ?? null,
    } as unknown as D1PreparedStatement;
    queries.set(made, query);
    return made;
  };
  return {
    prepare: (sql: string) => statement({ sql, params: [] }),
    batch: (statements: D1PreparedStatement[]) =>
      ask(statements.flatMap((one) => queries.get(one) ?? [])),
  } as unknown as D1Database;
}
