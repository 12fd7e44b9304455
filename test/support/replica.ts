import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { openDatabase } from '../../src/data/core/open-database.ts';
import { rawDatabaseStatement } from '../../src/data/core/raw.ts';
import type { Statement } from '../../src/data/core/statement.ts';
import { heartbeats, placements } from '../../src/data/schema/store/placement-tables.ts';
import { movedTables } from '../../src/data/shards/moved-tables.ts';
import { readChunk, type Cursor } from '../../src/data/shards/read-rows.ts';
import { numberShardStatements } from '../../src/data/shards/shard-numbers.ts';
import { insertStatements, referenceStatements } from '../../src/platform/move/write-rows.ts';
import './fixtures/first-shard.ts';

interface RecordedStatement {
  sql: string;
  values: readonly unknown[];
}

/** A transaction that the primary has committed. */
interface Commit {
  at: number;
  statements: readonly RecordedStatement[];
}

const isSelect = ({ sql }: RecordedStatement) =>
  /^\s*(select|with)\b/i.test(sql) && !/\b(insert|update|delete)\b/i.test(sql);
const bookmarkOf = (version: number) => `version-${version}`;

/**
 * A database with one read replica, which a local runtime does not have. Each commit runs again on the replica `delayMs`
 * later, or when a bookmark needs it. A session behaves as that of D1; the replica refuses changes.
 */
export class ReplicatedDatabase {
  /** Batches by the database that ran them. */
  readonly batches = { primary: 0, replica: 0 };
  delayMs = 0;
  /** A read of the primary or of the replica waits until its promise is resolved. */
  holds: { primary?: Promise<void>; replica?: Promise<void> } = {};
  /** Makes the primary refuse changes, too. */
  isReadOnly = false;
  readonly binding: D1Database;
  readonly #primary: D1Database;
  readonly #replica: D1Database;
  readonly #commits: Commit[] = [];
  #applied = 0;

  constructor(primary: D1Database, replica: D1Database) {
    this.#primary = primary;
    this.#replica = replica;
    const batch = async (list: readonly RecordedStatement[]) => this.#runAtPrimary(list);
    this.binding = {
      prepare: (sql: string) => this.#statement({ sql, values: [] }, batch),
      batch,
      withSession: (start: string) => this.#session(start),
    } as unknown as D1Database;
  }

  #session(start: string) {
    const [, known] = /^version-(\d+)$/.exec(start) ?? [];
    let version = Number(known ?? 0);
    let startsAtPrimary = start === 'first-primary';
    const batch = async (list: readonly RecordedStatement[]) => {
      const isKnown = /^(first-|version-)/.test(start) && version <= this.#commits.length;
      if (!isKnown) {
        throw new Error('D1_ERROR: the bookmark is not of this database');
      }
      const isNear = !startsAtPrimary && list.every(isSelect);
      startsAtPrimary = false;
      const results = isNear
        ? await this.#runAtReplica(list, version)
        : await this.#runAtPrimary(list);
      version = isNear ? this.#applied : this.#commits.length;
      return results;
    };
    return {
      prepare: (sql: string) => this.#statement({ sql, values: [] }, batch),
      batch,
      getBookmark: () => bookmarkOf(version),
    };
  }

  #statement(
    { sql, values }: RecordedStatement,
    batch: (list: readonly RecordedStatement[]) => Promise<D1Result[]>,
  ): object {
    const run = async () => (await batch([{ sql, values }]))[0];
    const bind = (...bound: unknown[]) => this.#statement({ sql, values: bound }, batch);
    return { sql, values, bind, all: run, run };
  }

  async #runAtPrimary(list: readonly RecordedStatement[]) {
    this.batches.primary += 1;
    const isChange = !list.every(isSelect);
    await this.holds.primary;
    if (isChange && this.isReadOnly) throw new Error('a read changed something');
    const results = await runOn(this.#primary, list);
    if (isChange) this.#commits.push({ at: Date.now(), statements: list });
    return results;
  }

  async #runAtReplica(list: readonly RecordedStatement[], version: number) {
    this.batches.replica += 1;
    await this.holds.replica;
    for (const { at, statements } of this.#commits.slice(this.#applied)) {
      if (this.#applied >= version && at + this.delayMs > Date.now()) break;
      await runOn(this.#replica, statements);
      this.#applied += 1;
    }
    return runOn(this.#replica, list);
  }
}

const runOn = (database: D1Database, list: readonly RecordedStatement[]) =>
  database.batch(list.map(({ sql, values }) => database.prepare(sql).bind(...values)));

let isMigrated = false;

/** Returns a replicated database with the stores of shard 0 that have these ids, as they are now. */
export async function replicateStores(ids: readonly number[]): Promise<ReplicatedDatabase> {
  const databases = [env.REPLICATED, env.REPLICA];
  if (!isMigrated) {
    for (const database of databases) {
      await applyD1Migrations(database, env.STORE_MIGRATIONS);
      // Not that of STORE_0, which gives out ids for stores that are copied later.
      await database.batch(numberShardStatements(2).map((sql) => database.prepare(sql)));
    }
    isMigrated = true;
  }
  for (const id of ids) {
    for (const database of databases) await copyStore(env.STORE_0, database, id);
  }
  return new ReplicatedDatabase(env.REPLICATED, env.REPLICA);
}

async function copyStore(source: D1Database, target: D1Database, id: number) {
  const [from, to] = [openDatabase(source), openDatabase(target)];
  const references: Statement[] = [];
  const statements: Statement[] = [];
  for (const table of movedTables) {
    let cursor: Cursor | undefined;
    do {
      const { rows, next } = await readChunk(from, table, id, cursor);
      statements.push(...insertStatements(to, table, rows));
      if (table.selfReference !== undefined) {
        references.push(...referenceStatements(to, table, rows));
      }
      cursor = next;
    } while (cursor);
  }
  const [placement] = await from.select().from(placements).where(eq(placements.store_id, id));
  const facts = placement?.facts ?? '';
  // Last, as in a move: triggers note what happens to the stores that are here, and the copied rows are noted already.
  const arrive = to.insert(placements).values({ store_id: id, facts });
  await to.batch([
    rawDatabaseStatement(to, sql`pragma defer_foreign_keys = on`),
    to.delete(heartbeats),
    ...statements,
    ...references,
    arrive,
  ]);
}
