import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { randomBase64url } from '../../base/crypto/random.ts';
import { settingsOf } from '../../base/settings.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import type { Job, JobOutcome, JobRun } from '../../data/directory/job.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { countRows } from '../../data/shards/clean-store.ts';
import { Place } from '../../data/shards/read-rows.ts';
import { insertMailToMembers, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { openReader, readRecords, sources, type StoreReader } from './export-sources.ts';
import { exportPrefix } from './kept-exports.ts';

/** Size of the buffer before it is stored, in bytes. */
const bufferBytes = 4_194_304;

/** Chunks of a step at most: an invocation may make 1,000 calls. */
const chunksPerStep = 150;

const encoder = new TextEncoder();

/** Lines of a kind that are not stored yet. */
interface Buffered {
  source: number;
  lines: string[];
  bytes: number;
}

/**
 * Writes all data of a store into files of the archive, one kind of records after the other. The
 * stored objects and the position of the export are saved together: an interrupted step is repeated
 * from there, and nothing is missing or twice. An object of a step that came too late is in no
 * list, and is deleted with the others.
 */
export async function runExport(run: JobRun): Promise<JobOutcome> {
  const { env, job, now, hasTime } = run;
  const reader = await openReader(env, job.store_id ?? 0);
  if (!reader) return { state: 'failed', error: 'There is no such store.' };
  const progress = readExport(job) ?? (await begin(run, reader));
  const writer = new ExportWriter(run, reader, progress);
  for (let chunks = 0; ; chunks += 1) {
    if (writer.isComplete || chunks === chunksPerStep || !hasTime()) break;
    await writer.step();
  }
  await writer.store();
  return writer.isComplete ? finish(run, writer.progress.counts) : { state: 'waits', dueAt: now() };
}

async function begin({ save }: JobRun, { shard, storeId }: StoreReader): Promise<ExportProgress> {
  const counts = await countRows(openDatabase(shard), storeId);
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const progress = { file: randomBase64url(18), position: 0, parts: [], counts: {} };
  await save({ total, progress });
  return progress;
}

async function finish(
  { env, job, now }: JobRun,
  counts: Readonly<Record<string, number>>,
): Promise<JobOutcome> {
  const settings = settingsOf(env);
  const directory = openDatabase(env.DIRECTORY);
  const storeId = job.store_id ?? 0;
  const [store] = await directory
    .select({ alias: stores.alias, name: stores.name })
    .from(stores)
    .where(eq(stores.id, storeId));
  const { alias = '', name = '' } = store ?? {};
  const mail = await prepareMail(settings, {
    kind: 'export_ready',
    data: {
      store: name,
      link: `${settings.linkOrigin}/account/stores/${alias}/exports/${job.id}`,
    },
    key: `export-ready-${job.id}`,
  });
  const owners = { storeId, roles: ['owner'] } as const;
  return {
    state: 'done',
    result: { counts },
    notify: (where) => [insertMailToMembers(directory, mail, owners, now(), where)],
    afterwards: () => wakeMail(env),
  };
}

/** Reads chunks and stores them. After a failure, reads again what was read but not stored. */
class ExportWriter {
  readonly #run: JobRun;
  readonly #reader: StoreReader;
  #progress: ExportProgress;
  #place: Place;
  #buffered: Buffered[] = [];
  #counts: Record<string, number>;

  constructor(run: JobRun, reader: StoreReader, progress: ExportProgress) {
    this.#run = run;
    this.#reader = reader;
    this.#progress = progress;
    this.#place = progress;
    this.#counts = { ...progress.counts };
  }

  get progress(): ExportProgress {
    return this.#progress;
  }

  get isComplete(): boolean {
    return this.#place.position >= sources.length;
  }

  /** Reads a chunk, and stores the buffer if it is large enough. */
  async step(): Promise<void> {
    const { position } = this.#place;
    const read = await readRecords(this.#reader, this.#place);
    if (!read) return;
    const { records, after } = read;
    if (records.length > 0) {
      const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      const last = this.#buffered.find(({ source }) => source === position);
      const buffer = last ?? { source: position, lines: [], bytes: 0 };
      if (!last) this.#buffered.push(buffer);
      buffer.lines.push(text);
      // At most three bytes a character, so this never counts too little.
      buffer.bytes += text.length * 3;
      const name = sources[position] ?? '';
      this.#counts[name] = (this.#counts[name] ?? 0) + records.length;
    }
    this.#place = after;
    if (this.#buffered.reduce((sum, { bytes }) => sum + bytes, 0) >= bufferBytes)
      await this.store();
  }

  /** Stores what was read as objects under names of their own, and then how far the export is. */
  async store(): Promise<void> {
    const { env, job, save } = this.#run;
    const prefix = exportPrefix({ store_id: job.store_id, progress: { ...this.#progress } });
    const { position, cursor } = this.#place;
    if (position === this.#progress.position && this.#buffered.length === 0) return;
    const parts = await Promise.all(
      this.#buffered.map(async ({ source, lines }): Promise<ExportProgress['parts'][number]> => {
        const name = randomBase64url(9);
        const content = encoder.encode(lines.join(''));
        await env.ARCHIVE.put(`${prefix}${name}`, content);
        return [source, name, content.length];
      }),
    );
    await this.#reader.confirm();
    this.#progress = {
      file: this.#progress.file,
      position,
      ...(cursor && { cursor: [...cursor] }),
      parts: [...this.#progress.parts, ...parts],
      counts: { ...this.#counts },
    };
    const done = Object.values(this.#counts).reduce((sum, n) => sum + n, 0);
    await save({
      done,
      total: this.isComplete ? done : Math.max(job.total, done),
      progress: { ...this.#progress },
    });
    this.#buffered = [];
  }
}

/** How far an export is, counted in kinds of records, and its stored objects. */
const ExportProgress = Place.extend({
  /** The random part of the keys of its objects. */
  file: z.string(),
  /**
   * The objects in their order: the kind of their records, the end of their key, and their size.
   */
  parts: z.array(z.tuple([z.int(), z.string(), z.int()])),
  /** The records of each kind so far. */
  counts: z.record(z.string(), z.int()),
});

export type ExportProgress = z.output<typeof ExportProgress>;

/** Returns how far an export is; `undefined` before it has begun. */
export const readExport = ({ progress }: Pick<Job, 'progress'>): ExportProgress | undefined =>
  ExportProgress.safeParse(progress).data;
