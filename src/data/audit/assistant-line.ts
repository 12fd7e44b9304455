import { getTableName, sql } from 'drizzle-orm';
import { rawStatement } from '../core/raw.ts';
import {
  type ChangeClaim,
  insertedBy,
  mayChangeData,
  nothingAround,
  type RecordChange,
  type Statement,
} from '../core/statement.ts';
import type { StoreDb } from '../core/store-db.ts';
import { lastInsertedId } from '../queries/links.ts';
import { storeAudit } from '../schema/store/audit-tables.ts';
import { storeAuditStatement, writesLine } from './audit-lines.ts';

/** A change that an assistant asks for. */
export interface AssistantChange {
  /** The id of its operation. */
  action: string;
  /** The path of the operation, if it may create a record. */
  createsAt: string | undefined;
  /** The last id of its path. */
  id: number | string | undefined;
}

/**
 * The line of a change, about the record that its batch creates, or that its path names. None if
 * the batch writes one itself.
 */
export const recordAssistant =
  (db: StoreDb, { action, createsAt, id }: AssistantChange): RecordChange =>
  (statements, isChanged) => {
    if (statements.some(writesLine)) return [];
    const target = (createsAt && createdBy(db, statements, createsAt, id)) ?? id ?? '';
    return [storeAuditStatement(db, { action, target: { kind: 'record', id: target } }, isChanged)];
  };

/**
 * The id of the record that a batch creates: of the kind that ends the path, or the first one of a
 * path without ids.
 */
function createdBy(
  db: StoreDb,
  statements: readonly Statement[],
  path: string,
  id: AssistantChange['id'],
) {
  const inserted = statements.flatMap((statement) => insertedBy(statement) ?? []);
  const kind = path.slice(path.lastIndexOf('/') + 1);
  const named = inserted.find(({ table }) => getTableName(table).endsWith(kind));
  const created = named ?? (id === undefined ? inserted[0] : undefined);
  return created && (created.id ?? lastInsertedId(db, created.table));
}

/**
 * Records the change of an assistant without an idempotency key. The line comes first, and counts
 * the changes behind it: the batch deletes it if there are none.
 */
export class AssistantClaim implements ChangeClaim {
  readonly #db: StoreDb;
  readonly #record: RecordChange;
  #isRecorded = false;

  constructor(db: StoreDb, record: RecordChange) {
    this.#db = db;
    this.#record = record;
  }

  around(statements: readonly Statement[]) {
    const mayChange = !this.#isRecorded && statements.some(mayChangeData);
    const first = mayChange ? this.#record(statements, sql`true`) : [];
    if (first.length === 0) return nothingAround;
    const { store, now } = this.#db;
    const undo = sql`delete from ${storeAudit} where store_id = ${store.id} and at = ${now}
      and changes_before = total_changes() - 1 returning id`;
    return {
      first,
      last: [rawStatement(this.#db, undo)],
      settle: (undone: unknown) => {
        this.#isRecorded = (undone as unknown[]).length === 0;
      },
    };
  }
}
