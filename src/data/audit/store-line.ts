import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement, rawStatement } from '../core/raw.ts';
import type { StoreDb } from '../core/store-db.ts';
import type { AuditChanges } from '../schema/columns.ts';
import { storeAudit } from '../schema/store/audit-tables.ts';
import type { AuditTargetKind, Doer } from './doer.ts';

/** A line of the audit of a store. Values that only the batch knows are SQL. */
interface StoreAuditLine {
  action: string;
  target: { kind: AuditTargetKind; id: string | number | SQL };
  reason?: string;
  /** Before and after, by field: values, or SQL of such a JSON object. */
  changes?: AuditChanges | SQL;
}

/** The statement that records a change of a store in its batch, if the condition `where` holds then. */
export const storeAuditStatement = (db: StoreDb, line: StoreAuditLine, where: SQL = sql`true`) =>
  rawStatement(
    db,
    insertLines({ storeId: db.store.id, at: db.now, by: db.by() }, line, sql`where ${where}`),
  );

/** The same on a shard, for stores that the statement selects: one line for each row of `source`. */
export const shardAuditStatement = (
  shard: Database,
  base: { storeId: number | SQL; at: number; by: Doer },
  line: StoreAuditLine,
  source: SQL,
) => rawDatabaseStatement(shard, insertLines(base, line, source));

function insertLines(
  { storeId, at, by: { actor, from } }: { storeId: number | SQL; at: number; by: Doer },
  { action, target, reason, changes = {} }: StoreAuditLine,
  source: SQL,
): SQL {
  const stored = isSql(changes) ? changes : JSON.stringify(changes);
  return sql`insert into ${storeAudit} (store_id, at, actor_kind, actor_id, actor_name, action,
      target_kind, target_id, reason, changes, country, network)
    select ${storeId}, ${at}, ${actor.kind}, ${actor.id}, ${actor.name}, ${action}, ${target.kind},
      ${textOf(target.id)}, ${reason ?? null}, ${stored}, ${from.country}, ${from.network} ${source}`;
}

/** An id as text; a number that is bound to a statement would be one with a fraction. */
export const textOf = (id: string | number | SQL): SQL | string =>
  typeof id === 'object' ? sql`cast(${id} as text)` : String(id);

const isSql = (changes: AuditChanges | SQL): changes is SQL => 'queryChunks' in changes;
