import { sql } from 'drizzle-orm';
import { abortUnless } from '../../data/core/data-errors.ts';
import { prepareText } from '../../data/core/open-database.ts';
import { compileSql } from '../../data/core/raw.ts';
import { OutgoingMoveState } from '../../data/schema/store/moves-tables.ts';

const { announced, fenced, copying, verifying } = OutgoingMoveState;

/** The condition that a store is being copied out of or into this shard. */
const isMoving = sql`(exists (select 1 from incoming_moves) or exists (
  select 1 from outgoing_moves where state in (${announced}, ${fenced}, ${copying}, ${verifying})))`;

const selectMoving = compileSql(sql`select ${isMoving} as found`);
const requireRest = compileSql(abortUnless(sql`not ${isMoving}`, 'moving'));

/** Whether a store is being copied out of or into this shard. One round trip. */
export const hasMoves = async (db: D1Database): Promise<boolean> =>
  (await selectMoving(db).first<number>('found')) === 1;

/**
 * The database of a shard for work that deletes or rewrites rows of many stores. Each of its writes
 * aborts with the cause `moving` while a store is copied out of or into the shard. So a move need
 * not wait for work that began before it.
 */
export const atRest = (db: D1Database): D1Database => withGuardedWrites(db, requireRest(db));

/**
 * The same database, for work that must stop under a condition. Each of its writes is one batch
 * that begins with `guard`, a statement that may abort it. Reads run as they are.
 */
function withGuardedWrites(db: D1Database, guard: D1PreparedStatement): D1Database {
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
