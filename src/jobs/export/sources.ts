import { withDbErrors } from '../../db/core/errors.ts';
import { openDatabase } from '../../db/core/open.ts';
import { findStoresById } from '../../db/directory/stores.ts';
import { guardStatement } from '../../db/shards/residents.ts';
import { shardBinding } from '../../db/shards/shards.ts';
import { bodyColumns, type BodyColumns } from '../../events/archive/columns.ts';
import { loadBodies } from '../../events/archive/read.ts';
import { readChunk, type Cursor } from '../../platform/move/read-rows.ts';
import { exportedTables, toIso } from './tables.ts';

/** Some records of a kind, and where to go on; `next` is absent behind the last. */
interface Portion {
  records: Record<string, unknown>[];
  next?: Cursor | undefined;
}

/** A kind of records: a file of the export. */
export interface Source {
  name: string;
  read: (reader: StoreReader, cursor: Cursor | undefined) => Promise<Portion>;
}

/** Where the data of a store are read in one turn. */
export interface StoreReader {
  env: Env;
  storeId: number;
  shard: D1Database;
  /** Throws `StoreElsewhere` if what was read in this turn may be old: the store has moved. */
  confirm: () => Promise<void>;
}

/** Opens the data of a store for a turn. Two round trips; `undefined` for a store that is not in the directory. */
export async function openReader(env: Env, storeId: number): Promise<StoreReader | undefined> {
  const [store] = await findStoresById(openDatabase(env.DIRECTORY), [storeId]);
  if (!store) return undefined;
  const shard = shardBinding(env, store.shard);
  const guard = async (epoch?: number) => {
    const database = openDatabase(shard);
    const conditions = { storeId, isReadOnly: true, conditions: [], epoch };
    const [[row]] = await withDbErrors(database.batch([guardStatement(database, conditions)]));
    return row?.epoch;
  };
  const epoch = await guard();
  return { env, storeId, shard, confirm: async () => void (await guard(epoch)) };
}

/** Lines of the audit that are read at once. */
const linesPerPortion = 1_000;

const fromDirectory = async (
  { env, storeId }: StoreReader,
  sql: string,
  ...values: unknown[]
): Promise<Record<string, unknown>[]> => {
  const { results } = await withDbErrors(
    env.DIRECTORY.prepare(sql)
      .bind(storeId, ...values)
      .all(),
  );
  return results.map((record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toValue(name, value)])),
  );
};

const toValue = (name: string, value: unknown): unknown => {
  if (typeof value === 'number' && /(?:^|_)at$/.test(name)) return toIso(value);
  return name === 'changes' && typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
};

const directorySources: readonly Source[] = [
  {
    name: 'store',
    read: async (reader) => ({
      records: await fromDirectory(
        reader,
        `select id, alias, name, zone, test, base_url, domain, icon_url, logo_url, created_at, updated_at
          from stores where id = ?`,
      ),
    }),
  },
  {
    name: 'members',
    read: async (reader) => ({
      records: await fromDirectory(
        reader,
        `select u.id, u.name, u.email, m.role, m.created_at from memberships m
          join users u on u.id = m.user_id where m.store_id = ? order by u.id`,
      ),
    }),
  },
  {
    name: 'activity',
    read: async (reader, cursor) => {
      const records = await fromDirectory(
        reader,
        `select id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, reason, changes, country, network
          from audit where store_id = ?1 and id > ?2 order by id limit ${linesPerPortion}`,
        cursor?.[0] ?? 0,
      );
      const last = Number(records.at(-1)?.['id'] ?? 0);
      return { records, next: records.length < linesPerPortion ? undefined : [last] };
    },
  },
];

const shardSources = exportedTables.map(({ table, toRecord }): Source => ({
  name: table.name,
  read: async (reader, cursor) => {
    const { env, shard, storeId } = reader;
    const { rows, next } = await readChunk(shard, table, storeId, cursor);
    const records = rows.map(toRecord);
    if (table.name === 'webhook_events') await addArchivedBodies(env, shard, records);
    return { records, next };
  },
}));

/** The bodies of older events are in the archive. */
async function addArchivedBodies(
  env: Env,
  shard: D1Database,
  records: Record<string, unknown>[],
): Promise<void> {
  const missing = records.filter((record) => record['body'] === null);
  if (missing.length === 0) return;
  const { results } = await shard
    .prepare(
      `select e.id, ${bodyColumns('e')} from webhook_events e
        where e.id in (select value from json_each(?)) and e.archive_offset is not null`,
    )
    .bind(JSON.stringify(missing.map(({ id }) => id)))
    .all<BodyColumns & { id: string }>();
  const bodies = await loadBodies(env.ARCHIVE, results);
  const byId = new Map(results.map(({ id }, index) => [id, bodies[index]]));
  for (const record of missing) record['body'] = byId.get(String(record['id'])) ?? null;
}

/** The kinds of records of an export, in the order of its files. */
export const sources: readonly Source[] = [...directorySources, ...shardSources];
