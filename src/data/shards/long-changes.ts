import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import type { Statement } from '../core/statement.ts';
import { findStoresById } from '../directory/stores.ts';
import { schemaVersion } from '../schema/schema-version.ts';
import { longChanges } from '../schema/store/upkeep-tables.ts';
import { updateFactsStatements } from './placements.ts';

/** The databases that the statements of a step may use. */
interface ChangeContext {
  directory: Database;
  shard: Database;
  now: number;
}

/**
 * A step over the rows of a table, by an integer key. A row that it meets a second time must become
 * the same.
 */
interface RowsStep {
  table: string;
  key: string;
  /** So many that their statements take less than a second. */
  rowsPerChunk: number;
  statements: (
    context: ChangeContext,
    keys: readonly number[],
  ) => Promise<readonly Statement[]> | readonly Statement[];
}

/** A step that creates an index, in one statement: SQLite has no other way. */
interface IndexStep {
  index: string;
  table: string;
  /** The columns, and the condition of a partial index. */
  columns: string;
  /**
   * So many rows take 15 seconds at most; a database with more refuses the step, and stores must
   * move away first.
   */
  maxRows: number;
}

export type ChangeStep = RowsStep | IndexStep;

/** A change of the data of all shards that takes too long for a migration (`drizzle/README.md`). */
export interface LongChange {
  /** Never used again for another change: each shard remembers the names that are done. */
  name: string;
  /** The `schemaVersion` that declared it. */
  since: number;
  /**
   * The `schemaVersion` from which on the service relies on it, at least one later. That release is
   * not deployed until every shard has finished it.
   */
  neededFrom?: number;
  /**
   * The part that no release from `neededFrom` on reads, as `table` or `table.column`. Its `DROP`
   * waits for that release.
   */
  replaces?: readonly string[];
  steps: readonly ChangeStep[];
}

/**
 * The long changes of this release, in their order. One that every shard has finished, and whose
 * drops are done, may go.
 *
 * `facts-1`: the form of `factsOf` as tokens repeat it. A release that changes the form adds
 * `facts-2`: else each request of an app asks the directory until its store changes. A test
 * compares the form.
 */
export const declaredChanges: readonly LongChange[] = [
  {
    name: 'facts-1',
    since: 1,
    steps: [
      {
        table: 'placements',
        key: 'store_id',
        rowsPerChunk: 500,
        async statements({ directory, shard, now }, keys) {
          const stores = await findStoresById(directory, keys);
          return updateFactsStatements(shard, stores, now);
        },
      },
    ],
  },
];

/** The names of the changes that a release relies on. */
export const neededChanges = (
  changes: readonly LongChange[] = declaredChanges,
  version = schemaVersion,
): string[] =>
  changes.flatMap(({ name, neededFrom }) =>
    neededFrom !== undefined && neededFrom <= version ? [name] : [],
  );

/** SQL of a JSON array: the changes that a shard has finished. */
export const finishedChanges: SQL = sql`(select json_group_array(name) from ${longChanges} where finished_at is not null)`;

/** SQL of whether a shard has no row of a store, and so nothing to change. */
export const isEmptyShard: SQL = sql`not exists (select 1 from placements)`;
