import { sql } from 'drizzle-orm';
import { rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import { parseAgentName } from './action.ts';
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
  names: (named: { clientIds: readonly string[]; userIds: readonly number[] }) => Promise<{
    apps: ReadonlyMap<string, string>;
    users: ReadonlyMap<number, string>;
  }>;
}

/** How an operation names an agent; pages have it in their language. */
const agentText = '{agent} at {host}, for {person}';

/**
 * Lists the actions on a store, newest first: members, keys and the store itself from the
 * directory, the rest from its shard. Two round trips in parallel, and one for the names of apps
 * and of whom agents worked for, if there are any. The page and the operation both call it.
 * Operators are one actor, the service: a store learns that one of them acted and why, but not who
 * or from where.
 */
export async function listActivity(
  db: StoreDb,
  directory: DirectoryActivity,
  query: AuditQuery,
  agentName = agentText,
) {
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
  const userIds = rows.flatMap((row) => parseAgentName(row)?.userId ?? []);
  const { apps, users } = await directory.names({
    clientIds: [...new Set(clientIds)],
    userIds: [...new Set(userIds)],
  });
  const nameOf = (row: AuditRow) => {
    if (row.actor_kind !== 'app') return row.actor_name;
    const named = parseAgentName(row);
    if (!named) return apps.get(row.actor_id) ?? row.actor_id;
    const { agent, host, userId } = named;
    const parts: Readonly<Record<string, string>> = {
      agent,
      host,
      person: users.get(userId) ?? String(userId),
    };
    return agentName.replaceAll(/\{(\w+)\}/g, (_all, part: string) => parts[part] ?? '');
  };
  return {
    next,
    rows: rows.map((row) => ({
      ...row,
      actor_name: nameOf(row),
      target_name:
        row.target_kind === 'app' ? (apps.get(row.target_id) ?? row.target_id) : row.target_name,
    })),
  };
}
