import { sql } from 'drizzle-orm';
import { rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import {
  auditSources,
  hideOperator,
  mergeWindows,
  windowSql,
  type AuditQuery,
  type AuditRow,
} from './window.ts';

/** The part of the directory that a list of activity needs (`data/directory/activity.ts`). */
export interface DirectoryActivity {
  window: (query: AuditQuery) => Promise<AuditRow[]>;
  appNames: (clientIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/**
 * Lists the actions on a store, newest first: members, keys and the store itself from the directory, the rest from its
 * shard. Two round trips in parallel, and one for the names of apps if there are any. The page and the operation both
 * call it. Operators are one actor, the service: a store learns that one of them acted and why, but not who or from where.
 */
export async function listActivity(db: StoreDb, directory: DirectoryActivity, query: AuditQuery) {
  const own = windowSql(auditSources.store, sql`store_id = ${db.store.id}`, query);
  const [[stored], known] = await Promise.all([
    db.batch([rawStatement<AuditRow>(db, own)]),
    directory.window(query),
  ]);
  const { rows, next } = mergeWindows(
    [
      { source: auditSources.directory, rows: known.map(hideOperator) },
      { source: auditSources.store, rows: stored.map(hideOperator) },
    ],
    query,
  );
  const clientIds = rows.flatMap(({ actor_kind, actor_id, target_kind, target_id }) => [
    ...(actor_kind === 'app' ? [actor_id] : []),
    ...(target_kind === 'app' ? [target_id] : []),
  ]);
  const names = await directory.appNames([...new Set(clientIds)]);
  return {
    next,
    rows: rows.map((row) => ({
      ...row,
      actor_name:
        row.actor_kind === 'app' ? (names.get(row.actor_id) ?? row.actor_id) : row.actor_name,
      target_name:
        row.target_kind === 'app' ? (names.get(row.target_id) ?? row.target_id) : row.target_name,
    })),
  };
}
