import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import {
  type Closer,
  formerAliases,
  memberships,
  stores,
  users,
} from '../schema/directory/directory-tables.ts';
import { readWindow, type CursorPage, type PageRequest } from './overview-window.ts';
import { selectFormerAliases, presentAlias } from './stores.ts';
import { userStateSql, type UserState } from './user-overview.ts';

/** States of a store, as operators see them. */
export const storeStates = ['active', 'deactivated', 'closed', 'erased'] as const;

type StoreState = (typeof storeStates)[number];

/** A store as operators see it. Times are epoch milliseconds. */
export interface StoreOverview {
  id: number;
  alias: string;
  name: string;
  timezone: string;
  state: StoreState;
  inactive_reason: string | null;
  inactive_since: number | null;
  closed_by: Closer | null;
  closed_at: number | null;
  locked_at: number | null;
  lock_reason: string | null;
  erase_at: number | null;
  test: 0 | 1;
  mfa_required: 0 | 1;
  event_budget: number | null;
  requests_per_minute: number | null;
  shard: number;
  owner_id: number;
  owner_name: string;
  owner_email: string;
  owner_state: UserState;
  created_at: number;
}

interface StoreFilter extends PageRequest {
  /** The alias, or a former one. */
  alias?: string | undefined;
  /** The address of the owner. */
  owner?: string | undefined;
  state?: StoreState | undefined;
  /** Part of the alias, of a former one, or of the name. */
  search?: string | undefined;
}

const state = sql`case when record.erased_at is not null then 'erased' when record.closed_at is not null then 'closed'
  when record.active = 0 then 'deactivated' else 'active' end`;

const source = {
  table: sql`${stores}`,
  columns: sql`record.id, record.alias, record.name, record.zone as timezone, ${state} as state, coalesce(record.close_reason, record.lock_reason) as inactive_reason,
    min(coalesce(record.closed_at, record.locked_at), coalesce(record.locked_at, record.closed_at)) as inactive_since,
    record.closed_by, record.closed_at, record.locked_at, record.lock_reason,
    record.erase_at, record.test, record.mfa_required, record.event_budget, record.requests_per_minute, record.shard, record.owner_id, users.name as owner_name, users.email as owner_email,
    ${userStateSql('users')} as owner_state,
    record.created_at`,
  joins: sql`join ${users} on users.id = record.owner_id`,
};

const all = (conditions: readonly SQL[]) =>
  conditions.length === 0 ? sql`1` : sql.join([...conditions], sql` and `);

/** Lists stores, newest first. One round trip, or two with a search. */
export function listStoreOverviews(
  directory: Database,
  { alias, owner, state: wanted, search, ...page }: StoreFilter,
): Promise<CursorPage<StoreOverview>> {
  const within = all([
    ...(alias === undefined ? [] : [sql`alias = ${presentAlias(alias, 0)}`]),
    ...(owner === undefined
      ? []
      : [sql`owner_id = (select id from ${users} where email = ${owner} collate nocase)`]),
  ]);
  const filter = wanted === undefined ? sql`1` : sql`${state} = ${wanted}`;
  const texts = sql`json_array(record.alias, record.name, (
    select group_concat(former_aliases.alias, ' ') from ${formerAliases} where former_aliases.store_id = record.id))`;
  const searched = search === undefined ? undefined : { spellings: [search], texts };
  return readWindow<StoreOverview>(
    directory,
    { ...source, within, filter, search: searched },
    page,
  );
}

/** A member of a store as operators see it. */
interface MemberOverview {
  user_id: number;
  name: string;
  email: string;
  role: string;
  mfa_enabled: 0 | 1;
  last_login_at: number | null;
  created_at: number;
}

/** A store with its members, owner first, and the aliases that it left, the latest first. */
interface StoreDetails extends StoreOverview {
  members: MemberOverview[];
  former_aliases: { alias: string; left_at: number }[];
}

/** The most members that are shown with a store. */
const maxMembers = 200;

/**
 * Finds a store with its members and former aliases; `undefined` if there is none. One round trip.
 */
export async function findStoreOverview(
  directory: Database,
  storeId: number,
): Promise<StoreDetails | undefined> {
  const [[store], members, former] = await directory.batch([
    rawDatabaseStatement<StoreOverview>(
      directory,
      sql`select ${source.columns} from ${source.table} record ${source.joins} where record.id = ${storeId}`,
    ),
    rawDatabaseStatement<MemberOverview>(
      directory,
      sql`select users.id as user_id, users.name, users.email, memberships.role, users.mfa_enabled, users.last_login_at, memberships.created_at
          from ${memberships} join ${users} on users.id = memberships.user_id where memberships.store_id = ${storeId}
          order by memberships.role <> 'owner', users.name, users.id limit ${maxMembers}`,
    ),
    selectFormerAliases(directory, storeId),
  ]);
  return store && { ...store, members, former_aliases: former };
}
