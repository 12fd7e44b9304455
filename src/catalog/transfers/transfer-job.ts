import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../data/core/open-database.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { isStillMember } from '../../data/directory/members.ts';
import { isGrantLive } from '../../data/grants/grant-conditions.ts';
import { scopesToBits, type Scope } from '../../data/grants/scopes.ts';
import { transfers } from '../../data/schema/store/transfers-tables.ts';
import type { GuardCondition } from '../../data/shards/guard.ts';
import type { Principal } from '../../http/access/principal.ts';
import type { LineError } from './line-reader.ts';

/** An import or an export as it is stored. */
export type Transfer = Row<typeof transfers>;

export type TransferKind = Transfer['kind'];

/** States in which a transfer is worked on, or waits for it. */
const openStates = sql.raw(`('waiting', 'running', 'paused')`);

/** Whether a transfer has ended, and nothing changes it any more. */
export const isFinished = ({ due_at }: Pick<Transfer, 'due_at'>) => due_at === null;

/** Unfinished transfers of one kind and store; more are refused. */
export const maxOpenTransfers = 5;

/** The condition that the store has room for another transfer of this kind. */
export const hasRoomFor = (db: StoreDb, kind: TransferKind) =>
  sql`(select count(*) from ${transfers} where store_id = ${db.store.id} and kind = ${kind}
    and due_at is not null) < ${maxOpenTransfers}`;

/** Selects a transfer by kind, so that no import is found under the path of exports. */
export const selectTransfer = (db: StoreDb, kind: TransferKind, id: number) =>
  db.selectOne(transfers, id, undefined, eq(transfers.kind, kind));

/**
 * Aborts the batch with a `ConflictError` unless the transfer is where it was read, and not
 * cancelled.
 */
export const assertUnmoved = (db: StoreDb, { id, position }: Transfer) =>
  db.assert(sql`exists (select 1 from ${transfers} where id = ${id} and store_id = ${db.store.id}
    and position = ${position} and state in ${openStates})`);

/** Columns that change while a transfer is in work. */
type Progress = Partial<
  Omit<
    Transfer,
    | 'id'
    | 'kind'
    | 'file'
    | 'with_stock'
    | 'product_events'
    | 'from_table'
    | 'known_skus'
    | 'stock'
    | 'unused_columns'
    | 'actor'
    | 'user_id'
    | 'client_id'
    | 'created_at'
    | 'updated_at'
  >
>;

/**
 * Sets how far an unfinished transfer is, and returns it; no row if it was finished or moved
 * meanwhile.
 */
export const progressStatement = (db: StoreDb, read: Transfer, progress: Progress) =>
  db.updateStatement(
    transfers,
    and(
      eq(transfers.id, read.id),
      eq(transfers.position, read.position),
      sql`${transfers.state} in ${openStates}`,
    ),
    progress,
  );

/** The columns of a transfer that ends now. */
export const ending = (db: StoreDb, state: 'done' | 'cancelled' | 'failed') => ({
  state,
  due_at: null,
  finished_at: db.now,
});

/** Selects the transfers that a shard may work on at a time, one a store and kind. */
export const dueTransfers = (now: number, isAtWork: (store: string) => SQL, limit: number) => sql`
  select transfers.id, transfers.store_id as storeId, transfers.kind from transfers
  where transfers.due_at <= ${now} and ${isAtWork('transfers.store_id')}
    and not exists (select 1 from transfers earlier where earlier.store_id = transfers.store_id
      and earlier.kind = transfers.kind and earlier.id < transfers.id and earlier.due_at is not null)
  order by transfers.updated_at limit ${limit}`;

/** Inserts a row for each error that was found in lines of an import. */
export const insertErrorsStatement = (
  db: StoreDb,
  { id }: Transfer,
  errors: readonly LineError[],
) =>
  rawStatement(
    db,
    sql`insert into transfer_errors (store_id, transfer_id, line, from_line, to_line, field, sent, message, created_at, updated_at)
      select ${db.store.id}, ${id}, value ->> 'line', value ->> 'from_line', value ->> 'to_line', value ->> 'field', value ->> 'sent', value ->> 'message', ${db.now}, ${db.now}
      from json_each(${JSON.stringify(errors)})`,
  );

/** Who begins a transfer: a credential, or the session of a user (`session:{id}`). */
export type TransferCaller = Pick<Principal, 'key' | 'userId' | 'clientId'>;

/** Columns of a transfer that name the caller who requested it. */
export const actorColumns = ({ key, userId, clientId }: TransferCaller) => ({
  actor: key,
  user_id: userId,
  client_id: clientId,
});

/** The scopes that the work of a transfer needs, like the operation that started it. */
const scopesOf = ({ kind, with_stock, stock }: Transfer): Scope[] =>
  kind === 'import'
    ? ['catalog.write', ...(stock === 'set' ? (['inventory.write'] as const) : [])]
    : ['catalog.read', ...(with_stock ? (['inventory.read'] as const) : [])];

/** The condition of each chunk that the grant of an app still allows it; none for other callers. */
export function grantConditions(
  storeId: number,
  transfer: Transfer,
  now: number,
): GuardCondition[] {
  const { actor, client_id: clientId, user_id: userId } = transfer;
  if (clientId === null) return [];
  const grantId = actor.replace(/^grant:/, '');
  const scopes = scopesToBits(new Set(scopesOf(transfer)));
  return [isGrantLive({ grantId, clientId, userId, storeId, scopes }, now)];
}

/**
 * Whether the user of a transfer may still do it, and the API key is live if one began it. Of an
 * app each chunk checks the grant, too.
 */
export async function isStillAllowed(
  directory: Database,
  storeId: number,
  transfer: Transfer,
  now: number,
): Promise<boolean> {
  const { actor, user_id: userId, kind } = transfer;
  const apiKeyId = /^api_key:(\d+)$/.exec(actor)?.[1];
  const work = { userId, storeId, isChange: kind === 'import', now };
  return isStillMember(
    directory,
    apiKeyId === undefined ? work : { ...work, apiKeyId: Number(apiKeyId) },
  );
}
