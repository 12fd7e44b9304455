import { sql } from 'drizzle-orm';
import { minuteMs, pause } from '../../base/durations.ts';
import { ConflictError, HttpError, StoreElsewhere } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { settingsOf } from '../../base/settings.ts';
import { openDatabase, DatabaseSession, timeLimits } from '../../data/core/open-database.ts';
import { prepareSql } from '../../data/core/raw.ts';
import { StoreDb } from '../../data/core/store-db.ts';
import type { Store } from '../../data/core/store.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { isLeasable, leases, release } from '../../data/queues.ts';
import { isAtWorkSql } from '../../data/schema/store/placement-tables.ts';
import { publish } from '../../webhooks/events/publish.ts';
import { wakeEndpoints } from '../../webhooks/wake-endpoints.ts';
import { Exporter } from './exporter.ts';
import { Importer } from './importer.ts';
import { FileLost } from './line-reader.ts';
import {
  isStillAllowed,
  dueTransfers,
  selectTransfer,
  type TransferKind,
  grantConditions,
  assertUnmoved,
  ending,
  isFinished,
  progressStatement,
  type Transfer,
} from './transfer-job.ts';
import { toImportEvent } from './transfer-queries.ts';
import { keptTable } from './waiting-table.ts';

/** Place and time of a step. */
interface StepContext {
  env: Env;
  shard: number;
  db: D1Database;
  now: () => number;
}

/** How a step shares a shard with other work. */
interface StepOptions {
  /** No chunk starts later. */
  stepMs: number;
  /**
   * The rest after a chunk, as a multiple of the time that the shard worked on it: it then answers
   * requests.
   */
  restFactor: number;
  longChunkMs: TransferContext['longChunkMs'];
}

const defaultOptions: StepOptions = { stepMs: 5_000, restFactor: 2, longChunkMs: 50 };

/** A worker that died has lost its step after this time. */
const leaseMs = 30_000;

/**
 * The longest rest, in milliseconds: a database that is slow for once must not stop the transfers.
 */
const maxRestMs = 500;

/** Transfers that share a step, each of another store or kind. */
const transfersPerStep = 10;

/** Delay of a transfer whose store is not active, or is elsewhere according to the directory. */
const absentMs = 10 * minuteMs;

const selectDue = (db: D1Database, now: number) =>
  prepareSql(db, dueTransfers(now, isAtWorkSql, transfersPerStep));

/** Whether a shard has transfers to work on now. One round trip. */
export async function hasDueTransfers({ db, now }: Pick<StepContext, 'db' | 'now'>) {
  return (await selectDue(db, now()).first()) !== null;
}

/**
 * Works on the transfers of a shard in steps, one worker at a time, with rests, so that its stores
 * hardly notice. Returns whether more is to do now. The next step continues the work of a worker
 * that died.
 */
export async function takeStep(
  context: StepContext,
  options: StepOptions = defaultOptions,
): Promise<boolean> {
  const { db, now } = context;
  const startedAt = now();
  const lease = await prepareSql(
    db,
    sql`insert into transfer_steps (id, until, generation) values (1, ${startedAt + leaseMs}, 1)
      on conflict do update set until = excluded.until, generation = generation + 1
        where ${isLeasable(leases.transfers, startedAt)}
      returning generation`,
  ).first<{ generation: number }>();
  // The worker that holds the lease looks for more when its step ends.
  if (!lease) return false;
  try {
    await shareStep(context, options, startedAt);
  } finally {
    await prepareSql(
      db,
      sql`update transfer_steps set ${release(leases.transfers)}
        where id = 1 and generation = ${lease.generation}`,
    ).run();
  }
  return hasDueTransfers(context);
}

async function shareStep(
  context: StepContext,
  { stepMs, restFactor, longChunkMs }: StepOptions,
  startedAt: number,
): Promise<void> {
  const { env, shard, now } = context;
  const awake = { fast: new Set<number>(), slow: new Set<number>() };
  const wake: TransferContext['wakeEndpoints'] = (endpoints, areSlow = false) => {
    for (const endpoint of endpoints) awake[areSlow ? 'slow' : 'fast'].add(endpoint);
  };
  const opened = await openTransfers(context, { wakeEndpoints: wake, longChunkMs });
  try {
    while (opened.some(({ isOpen }) => isOpen) && now() < startedAt + stepMs) {
      for (const transfer of opened.filter(({ isOpen }) => isOpen)) {
        const workedMs = await transfer.nextChunk();
        await pause(Math.min(workedMs * restFactor, maxRestMs));
      }
    }
    for (const transfer of opened) await transfer.flush();
  } finally {
    await Promise.all([
      wakeEndpoints(env, shard, [...awake.fast]),
      wakeEndpoints(env, shard, [...awake.slow], true),
    ]);
  }
}

/**
 * Opens the due transfers. Ends those of users who may not do it any more, and of API keys that
 * ended.
 */
async function openTransfers(
  { env, db, shard, now }: StepContext,
  given: Pick<TransferContext, 'wakeEndpoints' | 'longChunkMs'>,
): Promise<OpenTransfer[]> {
  const { results } = await selectDue(db, now()).all<{
    id: number;
    storeId: number;
    kind: TransferKind;
  }>();
  if (results.length === 0) return [];
  const directory = openDatabase(env.DIRECTORY);
  const stores = await findStoresById(
    directory,
    results.map(({ storeId }) => storeId),
  );
  const { eventBudget } = settingsOf(env);
  const context: TransferContext = {
    files: env.ARCHIVE,
    binding: db,
    now,
    eventBudget,
    ...given,
  };
  const opened: OpenTransfer[] = [];
  for (const { id, storeId, kind } of results) {
    const store = stores.find((one) => one.id === storeId && one.shard === shard && one.active);
    if (!store) {
      await prepareSql(
        db,
        sql`update transfers set due_at = ${now() + absentMs} where id = ${id} and due_at is not null`,
      ).run();
      continue;
    }
    const handle = new StoreDb(store, openDatabase(db), {
      now: now(),
      wakeEndpoints: given.wakeEndpoints,
    });
    const [[transfer]] = await handle.batch([selectTransfer(handle, kind, id)]);
    if (!transfer) continue;
    const one = new OpenTransfer(context, store, transfer);
    if (await isStillAllowed(directory, storeId, transfer, now())) opened.push(one);
    else await one.endAccess();
  }
  return opened;
}

/** Everything that a transfer needs to go on. */
export interface TransferContext {
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
export class OpenTransfer {
  readonly #context: TransferContext;
  readonly #store: Store;
  readonly #chunks: Importer | Exporter;
  #transfer: Transfer | undefined;

  constructor(context: TransferContext, store: Store, transfer: Transfer) {
    this.#context = context;
    this.#store = store;
    this.#transfer = transfer;
    const { files } = context;
    this.#chunks =
      transfer.kind === 'import' ? new Importer(context, transfer) : new Exporter(files);
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
  async nextChunk(): Promise<number> {
    let used: StoreDb | undefined;
    await this.#attempt((db, transfer) => this.#chunks.nextChunk((used = db), transfer));
    return used?.times?.sqlMs ?? 0;
  }

  /** Stores the results of this step that are not stored yet. */
  async flush(): Promise<void> {
    const exporter = this.#chunks;
    if (this.isOpen && exporter instanceof Exporter) {
      await this.#attempt((db, transfer) => exporter.flush(db, transfer));
    }
  }

  async #attempt(
    advance: (db: StoreDb, transfer: Transfer) => Promise<Transfer | undefined>,
  ): Promise<void> {
    const transfer = this.#transfer;
    if (!transfer) return;
    try {
      // `undefined` means that it was cancelled, or that another worker is further.
      this.#transfer =
        (await advance(this.#open(transfer), transfer)) ?? (await this.#reload(transfer));
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
