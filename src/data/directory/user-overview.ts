import { sql, type SQL } from 'drizzle-orm';
import { toAddress } from '../../base/codecs/listing/field-types.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { apiKeys, passwords, sessions } from '../schema/directory/credentials-tables.ts';
import { memberships, stores, users } from '../schema/directory/directory-tables.ts';
import { readWindow, type CursorPage, type PageRequest } from './overview-window.ts';

/** States of a user, as operators see them. `invited` has no password yet. */
export const userStates = ['active', 'invited', 'inactive', 'erased'] as const;

export type UserState = (typeof userStates)[number];

/** A user as operators see it. Times are epoch milliseconds. */
export interface UserOverview {
  id: number;
  name: string;
  email: string;
  language: string | null;
  state: UserState;
  operator: 0 | 1;
  mfa_enabled: 0 | 1;
  last_login_at: number | null;
  created_at: number;
}

interface UserFilter extends PageRequest {
  email?: string | undefined;
  state?: UserState | undefined;
  operator?: boolean | undefined;
  /** Part of the name or of the address. */
  search?: string | undefined;
}

/** The address of a user who is erased: no mail can arrive there. */
export const erasedAddress = (userId: number) => `erased-${userId}@erased.invalid`;

/** SQL of {@link erasedAddress}. */
export const erasedAddressSql = (id: SQL) => sql`('erased-' || ${id} || '@erased.invalid')`;

/** The state of the user in a row of `users`. */
export function userStateSql(row: 'record' | 'users') {
  const user = sql.raw(row);
  return sql`case when ${user}.email = ${erasedAddressSql(sql`${user}.id`)} then 'erased' when ${user}.active = 0 then 'inactive'
    when not exists (select 1 from ${passwords} where passwords.user_id = ${user}.id) then 'invited' else 'active' end`;
}

const state = userStateSql('record');

const columns = sql`record.id, record.name, record.email, record.language, ${state} as state, record.super_user as operator, record.mfa_enabled,
  record.last_login_at, record.created_at`;

/** Lists users, newest first. One round trip, or two with a search. */
export function listUserOverviews(
  directory: Database,
  { email, state: wanted, operator, search, ...page }: UserFilter,
): Promise<CursorPage<UserOverview>> {
  const within = [
    ...(email === undefined ? [] : [sql`email = ${email} collate nocase`]),
    // An index holds the operators.
    ...(operator === true ? [sql`super_user = 1`] : []),
  ];
  const filter = [
    ...(wanted === undefined ? [] : [sql`${state} = ${wanted}`]),
    ...(operator === false ? [sql`record.super_user = 0`] : []),
  ];
  return readWindow<UserOverview>(
    directory,
    {
      table: sql`${users}`,
      columns,
      within: sql.join([sql`1`, ...within], sql` and `),
      filter: sql.join([sql`1`, ...filter], sql` and `),
      search:
        search === undefined
          ? undefined
          : {
              spellings: [search, toAddress(search)],
              texts: sql`json_array(record.name, record.email)`,
            },
    },
    page,
  );
}

/** A store of a user as operators see it. */
interface MembershipOverview {
  store_id: number;
  alias: string;
  name: string;
  role: string;
  active: 0 | 1;
}

/** A key that works, as operators see it. */
interface KeyOverview {
  id: number;
  name: string;
  last_four: string;
  created_at: number;
  last_used_at: number | null;
}

/** A user with their stores, their keys and the number of their sessions. */
interface UserDetails extends UserOverview {
  sessions: number;
  stores: MembershipOverview[];
  keys: KeyOverview[];
}

/** The most stores that are shown with a user. */
const maxStores = 200;

/**
 * Finds a user with their stores, keys and the number of their sessions; `undefined` if there is
 * none. One round trip.
 */
export async function findUserOverview(
  directory: Database,
  userId: number,
  now: number,
): Promise<UserDetails | undefined> {
  const [[user], memberOf, keys] = await directory.batch([
    rawDatabaseStatement<UserOverview & { sessions: number }>(
      directory,
      sql`select ${columns}, (select count(*) from ${sessions} where sessions.user_id = record.id and sessions.expires_at > ${now}) as sessions
          from ${users} record where record.id = ${userId}`,
    ),
    rawDatabaseStatement<MembershipOverview>(
      directory,
      sql`select stores.id as store_id, stores.alias, stores.name, memberships.role, stores.active
          from ${memberships} join ${stores} on stores.id = memberships.store_id where memberships.user_id = ${userId}
          order by stores.alias limit ${maxStores}`,
    ),
    rawDatabaseStatement<KeyOverview>(
      directory,
      sql`select id, name, last_four, created_at, last_used_at from ${apiKeys}
          where user_id = ${userId} and revoked_at is null and coalesce(expires_at, ${now} + 1) > ${now} order by id desc`,
    ),
  ]);
  return user && { ...user, stores: memberOf, keys };
}
