import { sql, type SQL } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import type { DirectoryActivity } from '../audit/list-audit.ts';
import {
  auditSources,
  hideOperator,
  mergeWindows,
  windowSql,
  type AuditQuery,
  type AuditRow,
} from '../audit/window.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { audit } from '../schema/directory/account-tables.ts';
import { findActorNames, findAppNames } from './apps.ts';
import { listRequests, type RequestFilter } from './request-log.ts';

/** The activity of one store in the directory. */
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
      // The activity of a store does not show in which shard its data are.
      sql`store_id = ${this.#storeId} and action not in ('store.move_requested', 'store.restore_requested', 'store.old_data_purged')`,
      query,
    );

  /**
   * The latest requests that a key or an app sent to the store, newest first; one more than wanted.
   * One round trip.
   */
  readonly requests = (caller: string, filter: RequestFilter, now: number) =>
    listRequests(this.#directory, caller, { ...filter, storeId: this.#storeId }, now);

  /** The names of apps by client id, and of users by id. One round trip, none without any. */
  readonly names: DirectoryActivity['names'] = async (named) => {
    const { apps, users } = await findActorNames(this.#directory, named);
    const shown = [...apps].map(
      ([clientId, { name, host }]) =>
        [clientId, host === null ? name : `${name} (${host})`] as const,
    );
    return { apps: new Map(shown), users };
  };
}

/** Returns a page of the actions of operators, newest first. One round trip. */
export async function listOperatorAudit(directory: Database, query: AuditQuery) {
  const source = auditSources.directory;
  const rows = await selectWindow(directory, sql`by_operator = 1`, query);
  return mergeWindows([{ source, rows }], query);
}

/**
 * Returns a page of what was done to the apps and the team of a partner, newest first. Two round
 * trips at most.
 */
export async function listPartnerAudit(directory: Database, partnerId: number, query: AuditQuery) {
  const found = await selectWindow(directory, sql`partner_id = ${partnerId}`, query);
  const source = auditSources.directory;
  const page = mergeWindows([{ source, rows: found.map(hideOperator) }], query);
  const clientIds = page.rows.flatMap(({ target_kind, target_id }) =>
    target_kind === 'app' ? [target_id] : [],
  );
  const names = await findAppNames(directory, [...new Set(clientIds)]);
  return {
    ...page,
    rows: page.rows.map((row) => ({
      ...row,
      target_name: names.get(row.target_id)?.name ?? row.target_name,
    })),
  };
}

async function selectWindow(directory: Database, scope: SQL, query: AuditQuery) {
  const statement = windowSql(auditSources.directory, scope, query);
  const [rows] = await directory.batch([rawDatabaseStatement<AuditRow>(directory, statement)]);
  return rows;
}

/** How long a line is kept. */
const keptMs = 365 * dayMs;

/** The most lines that one call deletes. */
export const auditDeleteLimit = 10_000;

/**
 * Deletes lines after a year, but those that made somebody an operator, and returns how many. One
 * round trip.
 */
export async function deleteOldAudit(directory: Database, now: number): Promise<number> {
  const old = sql`select id from ${audit} where at < ${now - keptMs} and action <> 'user.made_operator' order by at limit ${auditDeleteLimit}`;
  const { meta } = await directory.run(sql`delete from ${audit} where id in (${old})`);
  return meta.changes;
}
