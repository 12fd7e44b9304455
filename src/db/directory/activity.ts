import { sql, type SQL } from 'drizzle-orm';
import {
  auditSources,
  mergeWindows,
  windowSql,
  type AuditQuery,
  type AuditRow,
} from '../audit/window.ts';
import { withDbErrors } from '../core/errors.ts';
import type { Database } from '../core/open.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { audit } from '../schema/people.ts';
import { findAppNames } from './apps.ts';

/** What the directory knows of the activity of one store. */
export class StoreActivity {
  readonly #directory: Database;
  readonly #storeId: number;

  constructor(directory: Database, storeId: number) {
    this.#directory = directory;
    this.#storeId = storeId;
  }

  /** The next lines about the store. One round trip. */
  readonly window = (query: AuditQuery): Promise<AuditRow[]> =>
    selectWindow(
      this.#directory,
      // Where the data of a store are is no matter of the store.
      sql`store_id = ${this.#storeId} and action <> 'store.move_requested'`,
      query,
    );

  /** The names of apps by client id. One round trip, none without apps. */
  readonly appNames = async (
    clientIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>> => {
    const found = await findAppNames(this.#directory, clientIds);
    return new Map([...found].map(([clientId, { name }]) => [clientId, name]));
  };
}

/** A page of what operators did, newest first. One round trip. */
export async function listOperatorAudit(directory: Database, query: AuditQuery) {
  const source = auditSources.directory;
  const rows = await selectWindow(directory, sql`by_operator = 1`, query);
  return mergeWindows([{ source, rows }], query);
}

async function selectWindow(directory: Database, scope: SQL, query: AuditQuery) {
  const statement = windowSql(auditSources.directory, scope, query);
  const [rows] = await withDbErrors(
    directory.batch([rawDatabaseStatement<AuditRow>(directory, statement)]),
  );
  return rows;
}

/** How long a line is kept. */
const keptMs = 365 * 86_400_000;

/** The most lines that one call deletes. */
const deleteLimit = 10_000;

/** Deletes lines after a year. One round trip. */
export async function deleteOldAudit(directory: Database, now: number): Promise<void> {
  const old = sql`select id from ${audit} where at < ${now - keptMs} order by at limit ${deleteLimit}`;
  const statement = rawDatabaseStatement(directory, sql`delete from ${audit} where id in (${old})`);
  await withDbErrors(directory.batch([statement]));
}
