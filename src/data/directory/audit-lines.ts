import { sql, type SQL } from 'drizzle-orm';
import type { AuditActor, Doer } from '../audit/doer.ts';
import { textOf } from '../audit/store-line.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import type { AuditChanges } from '../schema/columns.ts';
import { audit } from '../schema/directory/account-tables.ts';

export type { AuditActor };

/** One line of the audit. */
export interface AuditLine {
  at: number;
  /** The id is SQL for a user whom the same batch creates. */
  actor: Omit<AuditActor, 'id'> & { id: string | SQL };
  from: Doer['from'];
  action: string;
  /** SQL for a row that the same batch creates. */
  target: { kind: string; id: string | number | SQL };
  /** The store that may see the line. */
  storeId?: number | SQL;
  /** The partner whose team may see the line. */
  partnerId?: number | SQL | null;
  reason?: string;
  /** Before and after, by field; never a secret. */
  changes?: AuditChanges;
}

/** The statement that writes a line, for the batch of the action. With `where`, only if the condition holds then. */
export const auditStatement = (directory: Database, line: AuditLine, where: SQL = sql`1`) =>
  insertLines(directory, line, line.storeId ?? null, sql`where ${where}`);

/** The same for several stores: one line for each row of `source`, which has a `store_id`. */
export const auditInStoresStatement = (
  directory: Database,
  line: Omit<AuditLine, 'storeId'>,
  source: SQL,
) => insertLines(directory, line, sql`store_id`, source);

function insertLines(
  directory: Database,
  line: AuditLine,
  storeId: number | SQL | null,
  source: SQL,
) {
  const { at, actor, from, action, target, reason = null, changes = {} } = line;
  const { partnerId = null } = line;
  return rawDatabaseStatement(
    directory,
    sql`insert into ${audit} (at, actor_kind, actor_id, actor_name, by_operator, action, target_kind,
        target_id, store_id, partner_id, reason, changes, country, network)
      select ${at}, ${actor.kind}, ${actor.id}, ${actor.name}, ${Number(actor.kind === 'operator')},
        ${action}, ${target.kind}, ${textOf(target.id)}, ${storeId}, ${partnerId}, ${reason},
        ${JSON.stringify(changes)}, ${from.country}, ${from.network}
      ${source}`,
  );
}
