import { sql, type SQL } from 'drizzle-orm';
import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { exportedTables, toIso } from '../../data/queries/export-tables.ts';
import { audit } from '../../data/schema/directory/account-tables.ts';
import { memberships, stores, users } from '../../data/schema/directory/directory-tables.ts';
import { webhookEvents } from '../../data/schema/store/webhooks-tables.ts';
import { guardStatement } from '../../data/shards/guard.ts';
import { Dump, type Cursor, type Place } from '../../data/shards/read-rows.ts';
import { bodyColumns, type BodyColumns } from '../../webhooks/archive/archive-columns.ts';
import { loadBodies } from '../../webhooks/archive/read-archive.ts';

type Records = Record<string, unknown>[];

/** A kind of records of the directory, in pages. `next` is absent after the last. */
interface DirectorySource {
  name: string;
  read: (reader: StoreReader, cursor?: Cursor) => Promise<{ records: Records; next?: number[] }>;
}

/** The databases that hold the data of a store, for one step. */
export interface StoreReader {
  env: Env;
  storeId: number;
  shard: D1Database;
  dump: Dump;
  /** Throws `StoreElsewhere` if the data of this step may be old: the store has moved. */
  confirm: () => Promise<void>;
}

/**
 * Opens the data of a store for a step. Two round trips; `undefined` for a store that is not in the
 * directory.
 */
export async function openReader(env: Env, storeId: number): Promise<StoreReader | undefined> {
  const [store] = await findStoresById(openDatabase(env.DIRECTORY), [storeId]);
  if (!store) return undefined;
  const shard = shardBinding(env, store.shard);
  const guard = async (epoch?: number) => {
    const database = openDatabase(shard);
    const conditions = { storeId, isReadOnly: true, conditions: [], epoch };
    const [[row]] = await database.batch([guardStatement(database, conditions)]);
    return row?.epoch;
  };
  const epoch = await guard();
  const tables = exportedTables.map(({ table }) => table);
  const dump = new Dump(openDatabase(shard), storeId, { tables });
  return { env, storeId, shard, dump, confirm: async () => void (await guard(epoch)) };
}

/** Lines of the audit that are read at once. */
const linesPerChunk = 1_000;

const fromDirectory = async ({ env }: StoreReader, query: SQL): Promise<Records> => {
  const records = await openDatabase(env.DIRECTORY).all<Record<string, unknown>>(query);
  return records.map((record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toValue(name, value)])),
  );
};

const toValue = (name: string, value: unknown): unknown => {
  if (typeof value === 'number' && /(?:^|_)at$/.test(name)) return toIso(value);
  return name === 'changes' && typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
};

const directorySources: readonly DirectorySource[] = [
  {
    name: 'store',
    read: async (reader) => ({
      records: await fromDirectory(
        reader,
        sql`select id, alias, name, zone, test, base_url, domain, icon_url, logo_url, created_at, updated_at
          from ${stores} where id = ${reader.storeId}`,
      ),
    }),
  },
  {
    name: 'members',
    read: async (reader) => ({
      records: await fromDirectory(
        reader,
        sql`select users.id, users.name, users.email, memberships.role, memberships.created_at from ${memberships}
          join ${users} on users.id = memberships.user_id where memberships.store_id = ${reader.storeId} order by users.id`,
      ),
    }),
  },
  {
    name: 'activity',
    read: async (reader, cursor) => {
      const records = await fromDirectory(
        reader,
        sql`select id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, reason, changes, country, network
          from ${audit} where store_id = ${reader.storeId} and id > ${cursor?.[0] ?? 0}
          order by id limit ${linesPerChunk}`,
      );
      const last = Number(records.at(-1)?.['id'] ?? 0);
      return records.length < linesPerChunk ? { records } : { records, next: [last] };
    },
  },
];

/** The kinds of records of an export: a file for each, in this order. */
export const sources: readonly string[] = [
  ...directorySources.map(({ name }) => name),
  ...exportedTables.map(({ table }) => table.name),
];

/** Reads the records that come at a place, which counts kinds; `undefined` behind the last. */
export async function readRecords(
  reader: StoreReader,
  { position, cursor }: Place,
): Promise<{ records: Records; after: Place } | undefined> {
  const source = directorySources[position];
  if (source) {
    const { records, next } = await source.read(reader, cursor);
    return { records, after: next ? { position, cursor: next } : { position: position + 1 } };
  }
  const { length } = directorySources;
  const chunk = await reader.dump.read({ position: position - length, cursor });
  const exported = exportedTables[position - length];
  if (!chunk || !exported) return undefined;
  const records = chunk.line.rows.map(exported.toRecord);
  if (exported.table.name === 'webhook_events') {
    await addArchivedBodies(reader.env, reader.shard, records);
  }
  return { records, after: { ...chunk.after, position: chunk.after.position + length } };
}

/** The bodies of older events are in the archive. */
async function addArchivedBodies(env: Env, shard: D1Database, records: Records): Promise<void> {
  const missing = records.filter((record) => record['body'] === null);
  if (missing.length === 0) return;
  const rows = await openDatabase(shard).all<BodyColumns & { id: string }>(
    sql`select webhook_events.id, ${bodyColumns('webhook_events')} from ${webhookEvents}
      where webhook_events.id in (select value from json_each(${JSON.stringify(missing.map(({ id }) => id))}))
        and webhook_events.archive_offset is not null`,
  );
  const bodies = await loadBodies(env.ARCHIVE, rows);
  const byId = new Map(rows.map(({ id }, index) => [id, bodies[index]]));
  for (const record of missing) record['body'] = byId.get(String(record['id'])) ?? null;
}
