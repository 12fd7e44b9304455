import { eq, getTableName, sql, type SQL } from 'drizzle-orm';
import { ConflictError, conflict, DatabaseUnavailable } from '../../base/errors.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { products } from '../../data/schema/store/catalog-tables.ts';
import { transferKinds, transfers } from '../../data/schema/store/transfers-tables.ts';
import type { ReceivedUpload } from '../../http/request-upload.ts';
import { actorColumns, type TransferCaller } from './transfer-access.ts';
import { hasRoomFor, type Transfer, type TransferKind } from './transfer-job.ts';
import { standingExtras, type RankedTransfer } from './transfer-standing.ts';
import { storeUpload, type FileSize } from './upload.ts';
import { tablesOf } from './waiting-table.ts';

/** A file of lines that was received, and whether a transfer has it now. */
export interface ReceivedFile {
  file: string;
  bytes: number;
  lines: number;
  isKept: boolean;
}

/** Choices about an import beyond its defaults. */
export type ImportChoices = Partial<
  Pick<Transfer, 'product_events' | 'from_table' | 'known_skus' | 'stock' | 'unused_columns'>
>;

/**
 * The beginning of a key, which a random part completes. It names the store, and stays when the
 * store moves.
 */
const keyStart = (kind: TransferKind, storeId: number) => `${kind}s/${storeId}/`;

const newKey = (kind: TransferKind, storeId: number) =>
  keyStart(kind, storeId) + crypto.randomUUID();

/** The beginnings of the keys of all files of a store. */
export const filesOfTransfers = (storeId: number) => [
  ...transferKinds.map((kind) => keyStart(kind, storeId)),
  tablesOf(storeId),
];

/**
 * Throws a 409 while the store has too many unfinished imports, unless the request repeats one that
 * was executed. Runs before its file is received. One round trip.
 */
export const admitImport = (db: StoreDb, isRepeated: SQL): Promise<void> =>
  throwingTooMany(async () => {
    await db.batch([db.assert(sql`${isRepeated} or ${hasRoomFor(db, 'import')}`)]);
  });

/** Stores the lines of an import while they arrive. */
export async function receiveFile(
  request: Pick<Request, 'body' | 'headers'>,
  files: R2Bucket,
  storeId: number,
  max?: FileSize,
): Promise<ReceivedUpload<ReceivedFile>> {
  const key = newKey('import', storeId);
  const { bytes, lines, digest } = await storeUpload(files, key, request, max);
  const body: ReceivedFile = { file: key, bytes, lines, isKept: false };
  const end = async () => {
    // A failure does no harm: the bucket deletes old objects.
    if (!body.isKept) await files.delete(key).catch(() => undefined);
  };
  return { body, digest, end };
}

/**
 * Starts an import of lines that a table became, or that a caller sent. Throws a 409 while the
 * store has too many unfinished ones. One round trip.
 */
export async function startImport(
  db: StoreDb,
  caller: TransferCaller,
  received: ReceivedFile,
  choices: ImportChoices = {},
): Promise<RankedTransfer | undefined> {
  const { file, bytes, lines } = received;
  received.isKept = true;
  try {
    return await start(db, caller, 'import', { ...choices, file, bytes, total: lines });
  } catch (error) {
    // After a lost answer of the database the import may have begun, so its file stays.
    received.isKept = error instanceof DatabaseUnavailable;
    throw error;
  }
}

/**
 * Starts an export of all products; with stock if the caller may see it. Throws a 409 like
 * {@link startImport}. One round trip.
 */
export const startExport = (
  db: StoreDb,
  caller: TransferCaller,
  withStock: boolean,
): Promise<RankedTransfer | undefined> =>
  start(db, caller, 'export', {
    file: newKey('export', db.store.id),
    bytes: 0,
    total: sql`coalesce((select total from totals where store_id = ${db.store.id}
      and kind = ${getTableName(products)}), 0)`,
    with_stock: withStock,
  });

async function start(
  db: StoreDb,
  caller: TransferCaller,
  kind: TransferKind,
  values: Pick<Transfer, 'file' | 'bytes'> & {
    total: Transfer['total'] | ReturnType<typeof sql<number>>;
    with_stock?: boolean;
  } & ImportChoices,
): Promise<RankedTransfer | undefined> {
  return throwingTooMany(async () => {
    const [, , [started]] = await db.batch([
      db.assert(hasRoomFor(db, kind)),
      db.insertStatement(transfers, {
        kind,
        state: 'waiting',
        parts: [],
        due_at: db.now,
        ...actorColumns(caller),
        ...values,
      }),
      db.select(transfers, {
        where: eq(transfers.id, db.lastInsertedId(transfers)),
        extras: standingExtras,
      }),
    ]);
    return started;
  });
}

/** Runs work whose conflict is that the store has no room for another transfer. */
async function throwingTooMany<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ConflictError ? conflict('too_many_transfers') : error;
  }
}
