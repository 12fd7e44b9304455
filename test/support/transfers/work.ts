import { env } from 'cloudflare:workers';
import {
  receiveFile,
  startExport,
  startImport,
  type ImportChoices,
} from '../../../src/catalog/transfers/start-transfer.ts';
import type { Transfer, TransferKind } from '../../../src/catalog/transfers/transfer-job.ts';
import { findTransfer } from '../../../src/catalog/transfers/transfer-queries.ts';
import {
  OpenTransfer,
  type TransferContext,
} from '../../../src/catalog/transfers/transfer-step.ts';
import { shardBinding } from '../../../src/data/core/open-database.ts';
import { openStoreDb } from '../fixtures/store-db.ts';
import type { TestStore } from '../fixtures/store.ts';
import { toLines } from './transfers.ts';

const dayMs = 86_400_000;

/**
 * A time at which only the test itself works: no other step in the shard finds the transfer due.
 */
export const later = () => Date.now() + dayMs;

const principalOf = ({ userId }: TestStore) => ({
  key: 'api_key:1',
  userId,
  clientId: null,
  apiKeyId: 1,
  keyName: 'test',
  agent: null,
  storeIds: null,
  isRestricted: false,
  hasScope: () => true,
});

/**
 * Starts an import that only this test works on, of lines as a caller sends them, or as those of a
 * table (`TableLine`).
 */
export async function startQuietImport(
  store: TestStore,
  lines: readonly unknown[],
  choices: ImportChoices = {},
) {
  const request = new Request('https://api.test', { method: 'POST', body: toLines(lines) });
  const { body } = await receiveFile(request, env.ARCHIVE, store.id);
  const db = openStoreDb(store, later());
  return (await startImport(db, principalOf(store), body, choices))!;
}

/** Starts an export that only this test works on. */
export const startQuietExport = async (store: TestStore) =>
  (await startExport(openStoreDb(store, later()), principalOf(store), true))!;

/** Opens a transfer, as a step does. */
export async function openTransfer(
  store: TestStore,
  { kind, id }: { kind: TransferKind; id: number },
  given: Partial<TransferContext> = {},
): Promise<OpenTransfer> {
  const db = openStoreDb(store, later());
  const transfer = await findTransfer(db, kind, id);
  const context: TransferContext = {
    files: env.ARCHIVE,
    binding: shardBinding(env, store.shard),
    now: () => later() + 120_000,
    eventBudget: 1e9,
    wakeEndpoints: () => undefined,
    longChunkMs: Infinity,
    ...given,
  };
  return new OpenTransfer(context, db.store, transfer!);
}

/** Works on a transfer until it has ended or waits. */
export async function finish(
  store: TestStore,
  transfer: Transfer,
  given: Partial<TransferContext> = {},
): Promise<Transfer> {
  const opened = await openTransfer(store, transfer, given);
  while (opened.isOpen) await opened.nextChunk();
  return (await findTransfer(openStoreDb(store), transfer.kind, transfer.id))!;
}
