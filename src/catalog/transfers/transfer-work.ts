import { minuteMs } from '../../base/durations.ts';
import { ConflictError, HttpError, StoreElsewhere } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { DatabaseSession, openDatabase, timeLimits } from '../../data/core/open-database.ts';
import { StoreDb } from '../../data/core/store-db.ts';
import type { Store } from '../../data/core/store.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { toImportEvent } from './import-event.ts';
import { FileLost } from './line-reader.ts';
import { ImportRun } from './run-import.ts';
import { ExportRun } from './run-record-export.ts';
import { grantConditions } from './transfer-access.ts';
import {
  assertUnmoved,
  ending,
  isFinished,
  progressStatement,
  selectTransfer,
  type Transfer,
} from './transfer-job.ts';
import { keptTable } from './waiting-table.ts';

/** Everything that the work of a transfer needs. */
export interface WorkContext {
  files: R2Bucket;
  binding: D1Database;
  now: () => number;
  eventBudget: number;
  wakeEndpoints: StoreDb['wakeEndpoints'];
  /**
   * A chunk on which the shard works for more milliseconds is followed by a smaller one: others
   * wait for so long.
   */
  longChunkMs: number;
}

/** Delay after a failure outside this code, so that it does not fill the steps. */
const retryMs = minuteMs;

/** One transfer in one step. */
export class TransferWork {
  readonly #context: WorkContext;
  readonly #store: Store;
  readonly #run: ImportRun | ExportRun;
  #transfer: Transfer | undefined;

  constructor(context: WorkContext, store: Store, transfer: Transfer) {
    this.#context = context;
    this.#store = store;
    this.#transfer = transfer;
    const { files } = context;
    this.#run =
      transfer.kind === 'import' ? new ImportRun(context, transfer) : new ExportRun(files);
  }

  /** Whether this step can continue it. */
  get isOpen(): boolean {
    const { due_at = null } = this.#transfer ?? {};
    return due_at !== null && due_at <= this.#context.now();
  }

  /**
   * Processes one chunk. Never rejects: after a failure a later step continues the transfer.
   * Returns for how many milliseconds the shard worked on it.
   */
  async step(): Promise<number> {
    let used: StoreDb | undefined;
    await this.#attempt((db, transfer) => this.#run.step((used = db), transfer));
    return used?.times?.sqlMs ?? 0;
  }

  /** Stores the results of this step that are not stored yet. */
  async finishStep(): Promise<void> {
    const run = this.#run;
    if (this.isOpen && run instanceof ExportRun) {
      await this.#attempt((db, transfer) => run.flush(db, transfer));
    }
  }

  async #attempt(
    work: (db: StoreDb, transfer: Transfer) => Promise<Transfer | undefined>,
  ): Promise<void> {
    const transfer = this.#transfer;
    if (!transfer) return;
    try {
      // `undefined` means that it was cancelled, or that another worker is further.
      this.#transfer =
        (await work(this.#open(transfer), transfer)) ?? (await this.#reload(transfer));
    } catch (error) {
      this.#transfer = undefined;
      await this.#recover(transfer, error).catch((reason: unknown) =>
        this.#logFailure(transfer, reason),
      );
    }
    if (this.#transfer && isFinished(this.#transfer)) await this.#deleteImported(this.#transfer);
  }

  async #recover(transfer: Transfer, error: unknown): Promise<void> {
    // The new shard continues it.
    if (error instanceof StoreElsewhere) return;
    if (error instanceof ConflictError) {
      this.#transfer = await this.#reload(transfer);
      // An unchanged position means that concurrent requests change its products.
      if (this.#transfer?.position === transfer.position) await this.#postpone(transfer);
      return;
    }
    const isRevoked = error instanceof HttpError && error.status === 401;
    if (isRevoked) return this.#end(transfer, 'cancelled', 'access_ended');
    if (error instanceof FileLost) return this.#end(transfer, 'failed', 'file_lost');
    this.#logFailure(transfer, error);
    await this.#postpone(transfer);
  }

  /**
   * Ends a transfer without the condition on the grant of its app, which may be gone, and records
   * the event of an import. Leaves one that another worker moved meanwhile.
   */
  async #end(
    transfer: Transfer,
    state: 'cancelled' | 'failed',
    reason: Transfer['reason'],
  ): Promise<void> {
    const db = this.#open(transfer, false);
    const end = { ...ending(db, state), reason };
    try {
      await publish(
        db,
        [assertUnmoved(db, transfer), progressStatement(db, transfer, end)],
        transfer.kind === 'import' ? [toImportEvent(db, { ...transfer, ...end })] : [],
        { eventPace: 'free' },
      );
    } catch (error) {
      if (error instanceof ConflictError) return;
      throw error;
    }
    log('info', 'transfer_ended', { store: this.#store.id, transfer: transfer.id, reason });
    await this.#deleteImported(transfer);
  }

  endAccess = async (): Promise<void> => {
    const transfer = this.#transfer;
    this.#transfer = undefined;
    if (transfer) await this.#end(transfer, 'cancelled', 'access_ended');
  };

  async #postpone(transfer: Transfer): Promise<void> {
    this.#transfer = undefined;
    const db = this.#open(transfer, false);
    await db.batch([progressStatement(db, transfer, { due_at: db.now + retryMs })]);
  }

  async #reload({ kind, id }: Transfer): Promise<Transfer | undefined> {
    const db = this.#open(this.#transfer, false);
    const [[found]] = await db.batch([selectTransfer(db, kind, id)]);
    return found;
  }

  /**
   * Deletes the file of a finished import, and its table if all rows fit. A failure does no harm:
   * the purge deletes it.
   */
  async #deleteImported({ kind, file, failed }: Transfer): Promise<void> {
    const keys = failed === 0 ? [file, keptTable(file)] : [file];
    if (kind === 'import') await this.#context.files.delete(keys).catch(() => undefined);
  }

  #open(transfer: Transfer | undefined, isChecked = true): StoreDb {
    const { binding, now, eventBudget, wakeEndpoints } = this.#context;
    const at = now();
    const conditions = transfer && isChecked ? grantConditions(this.#store.id, transfer, at) : [];
    return new StoreDb(this.#store, openDatabase(binding), {
      session: new DatabaseSession(binding, timeLimits.work),
      now: at,
      events: { budget: eventBudget },
      wakeEndpoints,
      guard: { conditions },
    });
  }

  /** Logs only the class of an error: messages may contain values of a statement. */
  #logFailure({ id, kind }: Transfer, error: unknown): void {
    const reason = error instanceof Error ? error.name : typeof error;
    const store = this.#store.id;
    log('error', 'transfer_failed', { alert: true, kind, store, transfer: id, reason });
  }
}
