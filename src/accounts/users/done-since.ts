import { sql, type SQL } from 'drizzle-orm';
import { log } from '../../base/log.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { withKeys } from '../../data/directory/api-keys.ts';
import { isManagedBy } from '../../data/directory/apps.ts';
import type { AuditChanges } from '../../data/schema/columns.ts';
import { invitations } from '../../data/schema/directory/account-tables.ts';
import { apiKeys } from '../../data/schema/directory/credentials-tables.ts';
import { stores, users } from '../../data/schema/directory/directory-tables.ts';
import { apps } from '../../data/schema/directory/partners-tables.ts';
import { storeAudit } from '../../data/schema/store/audit-tables.ts';
import { webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';
import { linesSince, placesSince } from '../given-since.ts';

/**
 * Something that a user, or somebody whom they brought, did since they were not trusted any more.
 */
export interface DoneLine {
  action: string;
  targetId: string;
  /** The name of the target, which somebody chose; its id where it has none. */
  target: string;
  /** The alias of the store; null for none, and for a key, which may reach several. */
  store: string | null;
  storeId: number | null;
  /** Whether it ends or is put back; else it remains, and people decide. */
  isEnded: boolean;
}

interface Line extends Omit<DoneLine, 'isEnded'> {
  changes: string;
  /** Whether the user owns the store, or manages the app. */
  isTheirs: number;
}

/** How many lines are read of each database. */
const maxLines = 500;

/**
 * The actions whose effect always ends, and those that are put back in own stores and apps
 * (`endsOfTrust`).
 */
const [ended, putBack] = [
  new Set([
    'member.invited',
    'api_key.created',
    'app.connected',
    'webhook.created',
    'webhook.edited',
    'webhook.enabled',
    'webhook.resumed',
    'user.made_operator',
  ]),
  new Set(['member.removed', 'member.role_changed', 'app.published', 'app.webhook_set']),
];

/**
 * Page and mail leave out the account itself, whose sessions, factors and password end in any case.
 */
const isOwnAccount = (action: string) =>
  action.startsWith('user.') && !['user.second_factor_off', 'user.made_operator'].includes(action);

function isEnded({ action, changes, isTheirs }: Line): boolean {
  if (ended.has(action)) return true;
  if (isTheirs !== 1) return false;
  const fields = JSON.parse(changes) as AuditChanges;
  if (action === 'app.edited') return Object.keys(fields).join() === 'redirect_uris';
  if (action === 'store.second_factor_changed') return fields['mfa_required']?.[0] === true;
  return putBack.has(action);
}

/**
 * Lists what a user did since a time, oldest first, as the audit of the directory and of the stores
 * has it. Two round trips. A shard that does not respond is left out: its sweep ends what was given
 * there, and the activity of the store shows it.
 */
export async function listDoneSince(
  { env, directory, now }: ActionContext,
  userId: number,
  since: SQL,
): Promise<DoneLine[]> {
  const untrusted = { userId, since };
  const [[start], lines, places]: [{ since: number }[], Line[], UserInStore[]] =
    await directory.batch([
      rawDatabaseStatement<{ since: number }>(directory, sql`select ${since} as since`),
      rawDatabaseStatement<Line>(
        directory,
        sql`select line.action, line.target_id as "targetId", line.store_id as "storeId", line.changes,
          iif(line.target_kind = 'api_key', null, stores.alias) as store,
          coalesce(case line.target_kind when 'user' then (select name from ${users} where id = line.target_id)
            when 'api_key' then (select name from ${apiKeys} where id = line.target_id)
            when 'invitation' then (select email from ${invitations} where id = line.target_id)
            when 'app' then (select name from ${apps} where client_id = line.target_id) end, line.target_id) as target,
          case line.target_kind when 'app' then exists (select 1 from ${apps}
            where ${apps.client_id} = line.target_id and ${isManagedBy(userId)})
            else coalesce(stores.owner_id = ${userId}, 0) end as "isTheirs"
        from ${linesSince(now, untrusted)} line left join ${stores} on stores.id = line.store_id
        order by line.at, line.id limit ${maxLines}`,
      ),
      rawDatabaseStatement<UserInStore>(
        directory,
        sql`select place.user_id as "userId", place.store_id as "storeId", stores.shard, stores.alias from ${placesSince(now, untrusted)} place
        join ${stores} on stores.id = place.store_id limit ${maxLines}`,
      ),
    ]);
  const from = start?.since ?? now;
  const doers = await withKeys(
    directory,
    places.map((place) => ({ ...place, since: from })),
  );
  const shards = [...new Set(doers.map(({ shard }) => shard))];
  const there = await Promise.all(
    shards.map((shard) => {
      const here = doers.filter((doer) => doer.shard === shard);
      return linesOfShard(env, shard, here, from).catch(() => {
        log('warn', 'undo_list_incomplete', { shard });
        return [];
      });
    }),
  );
  const all = [...lines, ...there.flat()].filter(({ action }) => !isOwnAccount(action));
  const done = all.map((line) => ({ ...line, isEnded: isEnded(line) }));
  return [
    ...new Map(
      done.map((line) => [`${line.action} ${line.targetId} ${line.isEnded}`, line]),
    ).values(),
  ];
}

/** A user in a store. */
interface UserInStore {
  userId: number;
  storeId: number;
  shard: number;
  alias: string;
}

interface Doer extends UserInStore {
  keyIds: readonly number[];
}

/** Reads the lines about what these users and keys did in a shard. One round trip. */
async function linesOfShard(env: Env, shard: number, doers: readonly Doer[], since: number) {
  const sent = JSON.stringify(
    doers.flatMap(({ userId, storeId, alias, keyIds }) => [
      [storeId, 'user', String(userId), alias],
      ...keyIds.map((keyId) => [storeId, 'api_key', String(keyId), alias]),
    ]),
  );
  const database = openDatabase(shardBinding(env, shard));
  const [lines] = await database.batch([
    rawDatabaseStatement<Line>(
      database,
      sql`select line.action, line.target_id as "targetId", line.store_id as "storeId", line.changes, doer.value ->> 3 as store,
          coalesce(case line.target_kind when 'webhook'
            then (select name from ${webhookEndpoints} where id = line.target_id) end, line.target_id) as target,
          0 as "isTheirs"
        from json_each(${sent}) doer join ${storeAudit} line on line.store_id = doer.value ->> 0 and line.at >= ${since}
          and line.actor_kind = doer.value ->> 1 and line.actor_id = doer.value ->> 2 and line.target_kind <> 'record'
        order by line.at, line.id limit ${maxLines}`,
    ),
  ]);
  return lines;
}
