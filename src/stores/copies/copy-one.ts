import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { sha256 } from '../../base/crypto/digest.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { JobRun } from '../../data/directory/job.ts';
import { storeCopies } from '../../data/schema/directory/operators-tables.ts';
import { schemaVersion } from '../../data/schema/schema-version.ts';
import { placements, PlacementState } from '../../data/schema/store/placement-tables.ts';
import { withdrawalProgress } from '../../data/schema/store/upkeep-tables.ts';
import { finishedChanges } from '../../data/shards/long-changes.ts';
import { movedTables } from '../../data/shards/moved-tables.ts';
import { Dump, Place, type Line } from '../../data/shards/read-rows.ts';
import { hashOf, type CopiesBucket } from './copies-bucket.ts';
import {
  deleteCopy,
  manifestKey,
  manifestVersion,
  partKey,
  readDirectoryFacts,
  type CopyPart,
  type Manifest,
} from './manifest.ts';
import { packLines } from './parts.ts';

/** Characters of a part, about: it is in memory as text and compressed. */
const partCharacters = 3_000_000;

/** How far the copy of one store is. */
export const StoreProgress = Place.extend({
  storeId: z.int(),
  /** Absent while the store is only looked at, to see whether it has changed. */
  name: z.string().optional(),
  copyId: z.int().optional(),
  begunAt: z.int(),
  digest: z.string(),
  /**
   * The digest of the reading before: the same one again says that nothing has changed meanwhile.
   */
  looked: z.string().optional(),
  tables: z.record(z.string(), z.int()),
  parts: z.array(z.object({ sha256: z.string(), bytes: z.int(), tables: z.array(z.string()) })),
  epoch: z.int().optional(),
});

export type StoreProgress = z.output<typeof StoreProgress>;

/** The job of a shard, and what its copies read and write. */
interface CopyContext {
  run: Pick<JobRun, 'now' | 'hasTime'> & {
    env: Pick<Env, 'DIRECTORY'>;
    job: Pick<JobRun['job'], 'shard'>;
  };
  bucket: CopiesBucket;
  directory: Database;
  shard: Database;
}

/**
 * - `copied`: there is a new copy;
 * - `unchanged`: the store is as in its last copy;
 * - `gone`: it has left the shard, whose successor copies it;
 * - `unfinished`: time ended. What is saved says where to go on.
 */
type CopyResult = 'copied' | 'unchanged' | 'gone' | 'unfinished';

/** The facts of a shard about a store and its ids, which are no rows of the store. */
interface Head {
  state: number;
  epoch: number;
  withdrawn_to: number;
  counters: string;
  /** A JSON array of the long changes that the shard has finished. */
  changes: string;
}

/** Selects the {@link Head} of a store; no row if the shard does not know it. */
const selectHead = (storeId: number) =>
  sql`select state, epoch, coalesce((select done_to from ${withdrawalProgress} where id = 1), 0) as withdrawn_to,
    ${finishedChanges} as changes,
    (select json_group_object(name, seq) from sqlite_sequence
      where name <> 'd1_migrations' and name not like '\\_cf%' escape '\\') as counters
    from ${placements} where store_id = ${storeId}`;

/**
 * Copies a store unless it is as in its last copy, whose digest is given. A store that fits into
 * one batch is read once. A larger one is read twice, to see that nothing has changed meanwhile,
 * and the second reading is stored.
 */
export class StoreCopy {
  readonly #context: CopyContext;
  readonly #store: { storeId: number; digest: string | undefined };
  readonly #save: (progress: StoreProgress) => Promise<void>;
  #at: StoreProgress;
  /** Lines that are not stored yet. */
  #text = '';
  #tables = new Set<string>();

  constructor(
    context: CopyContext,
    store: { storeId: number; digest: string | undefined },
    saved: StoreProgress | undefined,
    save: (progress: StoreProgress) => Promise<void>,
  ) {
    this.#context = context;
    this.#store = store;
    this.#save = save;
    this.#at = saved?.storeId === store.storeId ? saved : this.#begin();
  }

  /** The name of the copy; empty while the store is only looked at. */
  get name(): string {
    return this.#at.name ?? '';
  }

  #begin(): StoreProgress {
    const { storeId } = this.#store;
    const begunAt = this.#context.run.now();
    return { storeId, begunAt, position: 0, digest: '', tables: {}, parts: [] };
  }

  /** Goes on while time remains. */
  async run(): Promise<CopyResult> {
    const { shard, run } = this.#context;
    const { storeId, digest: last } = this.#store;
    for (;;) {
      const beside = rawDatabaseStatement<Head>(shard, selectHead(storeId));
      const dump = new Dump(shard, storeId, { beside });
      const isLook = this.#at.name === undefined;
      const isFromStart = this.#at.position === 0 && !this.#at.cursor;
      while (this.#at.position < movedTables.length) {
        if (!run.hasTime()) return this.#pause();
        const chunk = await dump.read(this.#at);
        if (!chunk || !this.#isHere(dump.row)) return 'gone';
        await this.#add(chunk.line, !isLook || dump.isOneRead);
        const { position, cursor } = chunk.after;
        this.#at = { ...this.#at, position, cursor: cursor && [...cursor] };
        if (!isLook && this.#text.length >= partCharacters) await this.#pause();
      }
      const { digest, looked } = this.#at;
      if (!isLook) return this.#finish(digest === looked);
      if (digest === last) return 'unchanged';
      if (isFromStart && dump.isOneRead) return this.#finish(true, dump.row);
      this.#at = { ...this.#begin(), looked: digest };
      this.#text = '';
      this.#tables.clear();
      await this.#record();
      await this.#save(this.#at);
    }
  }

  #isHere(head: Head | undefined): head is Head {
    if (!head || head.state > PlacementState.leaving) return false;
    this.#at.epoch ??= head.epoch;
    return this.#at.epoch === head.epoch;
  }

  async #add(line: Line, isKept: boolean): Promise<void> {
    if (line.rows.length === 0) return;
    const text = JSON.stringify(line);
    const { tables } = this.#at;
    this.#at.digest = await sha256(this.#at.digest + text);
    tables[line.table] = (tables[line.table] ?? 0) + line.rows.length;
    if (!isKept) return;
    this.#text += `${text}\n`;
    this.#tables.add(line.table);
  }

  /** Keeps how far the copy is, with the lines that are to be stored. */
  async #pause(): Promise<'unfinished'> {
    if (this.#at.name !== undefined) await this.#storePart();
    await this.#save(this.#at);
    return 'unfinished';
  }

  /** Records the copy before its first object, so that none is forgotten. */
  async #record(): Promise<void> {
    const day = new Date(this.#at.begunAt).toISOString().slice(0, 10);
    const name = `${day}-${randomBase64url(9)}`;
    const [row] = await this.#context.directory
      .insert(storeCopies)
      .values({ store_id: this.#store.storeId, name, begun_at: this.#at.begunAt })
      .returning({ id: storeCopies.id });
    this.#at = { ...this.#at, name, copyId: row?.id ?? 0 };
  }

  /** Deletes what was stored of a store that is not here any more. */
  async #withdraw(): Promise<'gone'> {
    const { bucket, directory } = this.#context;
    const { storeId, name = '', copyId = 0 } = this.#at;
    await deleteCopy(bucket, { storeId, name }, () => true);
    await directory.delete(storeCopies).where(eq(storeCopies.id, copyId));
    return 'gone';
  }

  async #storePart(): Promise<void> {
    const { name = '' } = this.#at;
    if (!this.#text) return;
    const content = await packLines(this.#text);
    const part: CopyPart = {
      sha256: await hashOf(content),
      bytes: content.length,
      tables: [...this.#tables],
    };
    await this.#context.bucket.put(
      partKey(this.#store.storeId, name, this.#at.parts.length),
      content,
    );
    this.#at = { ...this.#at, parts: [...this.#at.parts, part] };
    this.#text = '';
    this.#tables.clear();
  }

  /** Stores the rest, and the manifest last. `read`: the head, if one transaction has read all. */
  async #finish(consistent: boolean, read?: Head): Promise<CopyResult> {
    const { run, bucket, directory, shard } = this.#context;
    const { storeId } = this.#store;
    if (this.#at.name === undefined) await this.#record();
    await this.#storePart();
    const head = read ?? (await shard.get<Head | undefined>(selectHead(storeId)));
    if (!this.#isHere(head)) return this.#withdraw();
    const { name = '', copyId = 0, begunAt, epoch = 0, digest, tables, parts } = this.#at;
    const rows = Object.values(tables).reduce((sum, n) => sum + n, 0);
    const manifest: Manifest = {
      version: manifestVersion,
      store_id: storeId,
      name,
      begun_at: begunAt,
      finished_at: run.now(),
      schema: schemaVersion,
      shard: run.job.shard,
      epoch,
      consistent,
      withdrawn_to: head.withdrawn_to,
      // Rows that were read earlier may lack a change that ended since.
      changes: read ? (JSON.parse(read.changes) as string[]) : [],
      counters: JSON.parse(head.counters) as Record<string, number>,
      tables,
      rows,
      digest,
      parts,
      files: 'by_reference',
      directory: await readDirectoryFacts(run.env.DIRECTORY, storeId),
    };
    const content = new TextEncoder().encode(JSON.stringify(manifest));
    await bucket.put(manifestKey(storeId, name), content);
    // An erasure that began meanwhile may have deleted the copies already.
    if (!this.#isHere(await shard.get<Head | undefined>(selectHead(storeId)))) {
      return this.#withdraw();
    }
    await directory
      .update(storeCopies)
      .set({
        finished_at: manifest.finished_at,
        rows,
        bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
        digest,
        manifest_hash: await hashOf(content),
      })
      .where(eq(storeCopies.id, copyId));
    return 'copied';
  }
}
