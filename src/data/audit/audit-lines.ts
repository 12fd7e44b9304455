import { sql, type SQL, getTableName } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement, rawStatement } from '../core/raw.ts';
import {
  type Statement,
  type ChangeRecorder,
  insertedBy,
  mayChangeData,
  nothingAround,
  type RecordChange,
} from '../core/statement.ts';
import type { StoreDb } from '../core/store-db.ts';
import type { AuditChanges } from '../schema/columns.ts';
import { audit } from '../schema/directory/account-tables.ts';
import { storeAudit } from '../schema/store/audit-tables.ts';
import type { AuditActor, AuditTargetKind, Doer } from './action.ts';

/** One line of the audit. */
export interface AuditLine {
  at: number;
  /** The id is SQL for a user whom the same batch creates. */
  actor: Omit<AuditActor, 'id'> & { id: string | SQL };
  from: Doer['from'];
  action: string;
  /** SQL for a row that the same batch creates. */
  target: { kind: AuditTargetKind; id: string | number | SQL };
  /** The store that may see the line. */
  storeId?: number | SQL;
  /** The partner whose team may see the line. */
  partnerId?: number | SQL | null;
  reason?: string;
  /**
   * Before and after, by field; never a secret. Values that only the batch knows are SQL of such a
   * JSON object.
   */
  changes?: AuditChanges | SQL;
}

/**
 * The statement that writes a line, for the batch of the action. With `where`, only if the
 * condition holds then.
 */
export const auditStatement = (directory: Database, line: AuditLine, where: SQL = sql`1`) =>
  auditLinesStatement(directory, line, sql`where ${where}`);

/** The same with one line for each row of `source`, whose columns the line may name. */
export function auditLinesStatement(directory: Database, line: AuditLine, source: SQL) {
  const { at, actor, from, action, target, reason = null, changes = {} } = line;
  const { storeId = null, partnerId = null } = line;
  return rawDatabaseStatement(
    directory,
    sql`insert into ${audit} (at, actor_kind, actor_id, actor_name, by_operator, action, target_kind,
        target_id, store_id, partner_id, reason, changes, country, network)
      select ${at}, ${actor.kind}, ${actor.id}, ${actor.name}, ${Number(actor.kind === 'operator')},
        ${action}, ${target.kind}, ${textOf(target.id)}, ${storeId}, ${partnerId}, ${reason},
        ${isSql(changes) ? changes : JSON.stringify(changes)}, ${from.country}, ${from.network}
      ${source}`,
  );
}

/** A line of the audit of a store. Values that only the batch knows are SQL. */
interface StoreAuditLine {
  action: string;
  target: { kind: AuditTargetKind; id: string | number | SQL };
  reason?: string;
  /** Before and after, by field: values, or SQL of such a JSON object. */
  changes?: AuditChanges | SQL;
}

const lineStatements = new WeakSet<Statement>();

/** Whether a statement writes a line of the audit of a store. */
const writesLine = (statement: Statement) => lineStatements.has(statement);

/**
 * The statement that records a change of a store in its batch, if the condition `where` holds then.
 */
export function storeAuditStatement(db: StoreDb, line: StoreAuditLine, where: SQL = sql`true`) {
  const base = { storeId: db.store.id, at: db.now, by: db.by() };
  const statement = rawStatement(db, insertStoreLines(base, line, sql`where ${where}`));
  lineStatements.add(statement);
  return statement;
}

/**
 * The same on a shard, for stores that the statement selects: one line for each row of `source`.
 */
export const shardAuditStatement = (
  shard: Database,
  base: { storeId: number | SQL; at: number; by: Doer },
  line: StoreAuditLine,
  source: SQL,
) => rawDatabaseStatement(shard, insertStoreLines(base, line, source));

function insertStoreLines(
  { storeId, at, by: { actor, from } }: { storeId: number | SQL; at: number; by: Doer },
  { action, target, reason, changes = {} }: StoreAuditLine,
  source: SQL,
): SQL {
  const stored = isSql(changes) ? changes : JSON.stringify(changes);
  return sql`insert into ${storeAudit} (store_id, at, actor_kind, actor_id, actor_name, action,
      target_kind, target_id, reason, changes, country, network, changes_before)
    select ${storeId}, ${at}, ${actor.kind}, ${actor.id}, ${actor.name}, ${action}, ${target.kind},
      ${textOf(target.id)}, ${reason ?? null}, ${stored}, ${from.country}, ${from.network}, total_changes() ${source}`;
}

/** An id as text; a number that is bound to a statement would be one with a fraction. */
const textOf = (id: string | number | SQL): SQL | string =>
  typeof id === 'object' ? sql`cast(${id} as text)` : String(id);

const isSql = (changes: AuditChanges | SQL): changes is SQL => 'queryChunks' in changes;

/**
 * Returns the part of an address that names no device: a /24 of IPv4, a /48 of IPv6; `null` if
 * there is none.
 */
function anonymousNetwork(address: string | null): string | null {
  if (!address || !ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  const [family, bits] = parsed.kind() === 'ipv6' ? [ipaddr.IPv6, 48] : [ipaddr.IPv4, 24];
  return `${family.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString()}/${bits}`;
}

/**
 * Where a request came from, as the audit keeps it: `CF-IPCountry`, and the network without the
 * part that names one device.
 */
export const requestSource = ({ headers }: Request) => ({
  country: /^[A-Z]{2}$/.exec(headers.get('CF-IPCountry') ?? '')?.[0] ?? null,
  network: anonymousNetwork(headers.get('CF-Connecting-IP')),
});

/** A change that an assistant asks for. */
interface AssistantChange {
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
  return created && (created.id ?? db.lastInsertedId(created.table));
}

/**
 * Records the change of an assistant without an idempotency key. The line comes first, and counts
 * the changes behind it: the batch deletes it if there are none.
 */
export class AssistantRecorder implements ChangeRecorder {
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
