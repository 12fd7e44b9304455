import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { log } from '../../base/log.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { storeCopies } from '../../data/schema/directory/operators-tables.ts';
import { openCopies, type CopiesBucket } from './copies-bucket.ts';

/** The version of the format. A copy of another version is refused. */
export const manifestVersion = 1;

const count = z.int().nonnegative();

/** An object with rows: NDJSON in gzip, a line for some rows of a table (`parts.ts`). */
const CopyPart = z.object({
  /** SHA-256 of the object in hexadecimal digits. */
  sha256: z.string(),
  bytes: count,
  /** The tables of its lines, in their order. */
  tables: z.array(z.string()),
});

export type CopyPart = z.output<typeof CopyPart>;

/** The last object of a copy: what the others must be, and what is needed to restore the store. */
const Manifest = z.object({
  version: z.literal(manifestVersion),
  store_id: z.int(),
  name: z.string(),
  begun_at: z.int(),
  finished_at: z.int(),
  /** The schema of the shard, and its number. */
  schema: z.int(),
  shard: z.int(),
  /** The epoch of the store in its shard. */
  epoch: z.int(),
  /**
   * Whether all rows are of one moment. Else a row may name another one that was deleted or came
   * meanwhile.
   */
  consistent: z.boolean(),
  /** The withdrawals of apps that the shard had ended (`withdrawal_progress`). */
  withdrawn_to: z.int(),
  /** The long changes that its rows have had (`data/shards/long-changes.ts`). */
  changes: z.array(z.string()).default([]),
  /** The last id of each table that counts its ids. */
  counters: z.record(z.string(), z.int()),
  /** The rows of each table. */
  tables: z.record(z.string(), count),
  rows: count,
  digest: z.string(),
  parts: z.array(CopyPart),
  /** Bodies of old events and files of imports stay in the bucket `ARCHIVE`; the rows name them. */
  files: z.literal('by_reference'),
  /**
   * The rows of the directory about the store: to look at, if it is lost as well. No restore writes
   * them.
   */
  directory: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
});

export type Manifest = z.output<typeof Manifest>;

/** The beginning of the keys of all copies of a store. */
const copiesOf = (storeId: number) => `stores/${storeId}/`;

const copyPrefix = (storeId: number, name: string) => `${copiesOf(storeId)}${name}/`;

export const manifestKey = (storeId: number, name: string) =>
  `${copyPrefix(storeId, name)}manifest.json`;

export const partKey = (storeId: number, name: string, index: number) =>
  `${copyPrefix(storeId, name)}${index}.ndjson.gz`;

/** A copy that cannot be read, and why. */
export class BrokenCopy extends Error {}

/** Reads the text of a manifest. */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BrokenCopy('The manifest of the copy cannot be read.');
  }
  const { data: versioned } = z.object({ version: z.unknown() }).safeParse(value);
  if (versioned && versioned.version !== manifestVersion) {
    const version = String(versioned.version);
    throw new BrokenCopy(`The copy has version ${version}; this release reads ${manifestVersion}.`);
  }
  const { data } = Manifest.safeParse(value);
  if (!data) throw new BrokenCopy('The manifest of the copy is not complete.');
  return data;
}

/**
 * Reads what the directory has of a store: its row, its members, and their API keys, of which only
 * digests are stored.
 */
export async function readDirectoryFacts(
  directory: D1Database,
  storeId: number,
): Promise<Manifest['directory']> {
  const database = openDatabase(directory);
  const select = (query: ReturnType<typeof sql>) =>
    rawDatabaseStatement<Record<string, unknown>>(database, query);
  const [stores, members, keys] = await database.batch([
    select(sql`select * from stores where id = ${storeId}`),
    select(sql`select users.id, users.email, users.name, memberships.role, memberships.created_at from memberships
      join users on users.id = memberships.user_id where memberships.store_id = ${storeId} order by users.id`),
    select(sql`select api_keys.id, api_keys.user_id, api_keys.name, api_keys.token_hash, api_keys.secret_hash, api_keys.last_four, api_keys.scopes, api_keys.store_ids, api_keys.expires_at
      from memberships join api_keys on api_keys.user_id = memberships.user_id
      where memberships.store_id = ${storeId} and api_keys.revoked_at is null order by api_keys.id`),
  ]);
  return { stores, members, api_keys: keys };
}

/**
 * Deletes the objects whose keys begin so, while time remains. A manifest goes first, so that what
 * remains is no copy. Returns whether none remains.
 */
async function deleteObjects(
  bucket: CopiesBucket,
  prefix: string,
  hasTime: () => boolean,
): Promise<boolean> {
  for (;;) {
    const keys = await bucket.list(prefix);
    if (keys.length === 0) return true;
    const rank = (key: string) => Number(!key.endsWith('/manifest.json'));
    for (const key of keys.toSorted((a, b) => rank(a) - rank(b))) {
      if (!hasTime()) return false;
      await bucket.delete(key);
    }
  }
}

/**
 * Deletes all copies of a store that is erased, while time remains. Returns whether none remains.
 * Without the bucket that holds them it cannot, and alerts.
 */
export async function eraseCopies(
  env: Env,
  storeId: number,
  hasTime: () => boolean,
): Promise<boolean> {
  const directory = openDatabase(env.DIRECTORY);
  const bucket = openCopies(env);
  const isOfStore = eq(storeCopies.store_id, storeId);
  if (!bucket) {
    const [found] = await directory.select().from(storeCopies).where(isOfStore).limit(1);
    if (found) log('error', 'copies_not_erased', { alert: true, store: storeId });
    return true;
  }
  if (!(await deleteObjects(bucket, copiesOf(storeId), hasTime))) return false;
  await directory.delete(storeCopies).where(isOfStore);
  return true;
}

export const deleteCopy = (
  bucket: CopiesBucket,
  { storeId, name }: { storeId: number; name: string },
  hasTime: () => boolean,
) => deleteObjects(bucket, copyPrefix(storeId, name), hasTime);
