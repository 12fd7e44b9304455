import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  ne,
  sql,
  type SQL,
} from 'drizzle-orm';
import { authLifetimes } from '../../base/auth-lifetimes.ts';
import { skeletonOf } from '../../base/codecs/fields/claimed-names.ts';
import { dayMs } from '../../base/durations.ts';
import { hostWithPort } from '../../base/hosts.ts';
import type { Language } from '../../base/languages.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import type { Database } from '../core/open-database.ts';
import type { Statement } from '../core/statement.ts';
import { partnerMembers } from '../schema/directory/account-tables.ts';
import { users } from '../schema/directory/directory-tables.ts';
import { apps } from '../schema/directory/partners-tables.ts';

/** A partner app, or an agent. */
export type App = typeof apps.$inferSelect;

/** Whether a client is an agent: one that no partner registered. */
export const isAgent = ({ host }: Pick<App, 'host'>) => host !== null;

/** The name of an app in a language, if an agent has one of its own for it. */
export const nameIn = ({ name, names }: Pick<App, 'name' | 'names'>, language: Language): string =>
  names?.[language] ?? name;

/**
 * How the activity names an agent, without the person for whom it works; `undefined` for the app of
 * a partner.
 */
export const agentLabel = ({ name, host }: Pick<App, 'name' | 'host'>) =>
  host === null ? undefined : `${name} at ${host}`;

const appCache = new TtlCache<App | undefined>(authLifetimes.authCacheTtl, 5_000);

/**
 * Finds the app of a client id, in any state. At most one round trip: the isolate caches the result
 * for 30 seconds, so decisions that must take effect at once cannot rely on it.
 */
export async function findApp(
  directory: Database,
  clientId: string,
  now: number,
): Promise<App | undefined> {
  const cached = appCache.get(clientId, now);
  if (cached) return cached.value;
  const [app] = await directory.select().from(apps).where(eq(apps.client_id, clientId));
  appCache.set(clientId, app, now);
  return app;
}

/**
 * Removes an app from the cache of this isolate. To be called by everything that changes an app.
 */
export const evictApp = (clientId: string) => appCache.delete(clientId);

/** The columns of an app that merchants see. */
export type AppIdentity = Pick<
  App,
  | 'name'
  | 'publisher'
  | 'host'
  | 'site_url'
  | 'support'
  | 'privacy_url'
  | 'logo'
  | 'verified_host'
  | 'verified_at'
>;

/** How long the proof of a domain counts. */
const provenForMs = 180 * dayMs;

/** The host of the app's site, if its publisher has proved within 180 days that it is theirs. */
export const verifiedHost = (
  app: Pick<App, 'site_url' | 'verified_host' | 'verified_at'>,
  now: number,
): string | undefined => {
  const { site_url: site, verified_host: host, verified_at: at } = app;
  // An app that has moved to another site proves it again.
  const isOfSite = site !== null && host !== null && hostWithPort(new URL(site)) === host;
  return isOfSite && (at ?? 0) > now - provenForMs ? host : undefined;
};

/**
 * Whether names look like those of published apps whose domain is proved, of which `isOwn` matches
 * none. One round trip; none without letters.
 */
export async function looksVerified(
  directory: Database,
  { names, isOwn }: { names: readonly string[]; isOwn: SQL },
  now: number,
): Promise<boolean> {
  const looks = names.map(skeletonOf).filter((look) => look !== '');
  if (looks.length === 0) return false;
  const found = await directory
    .select({ isOwn: sql<0 | 1>`(${isOwn})` })
    .from(apps)
    .where(
      and(
        inArray(apps.verified_name, looks),
        eq(apps.state, 'published'),
        gt(apps.verified_at, now - provenForMs),
      ),
    );
  return found.length > 0 && !found.some((app) => app.isOwn === 1);
}

/**
 * The names of apps by client id, in a `language` if they have one in it. One round trip; none
 * without ids.
 */
export async function findAppNames(
  directory: Database,
  clientIds: readonly string[],
  language?: Language,
): Promise<ReadonlyMap<string, AppIdentity>> {
  if (clientIds.length === 0) return new Map();
  return toIdentities(await selectApps(directory, clientIds), language);
}

/** The names of apps by client id, and of users by id. One round trip; none without ids. */
export async function findActorNames(
  directory: Database,
  { clientIds, userIds }: { clientIds: readonly string[]; userIds: readonly number[] },
): Promise<{ apps: ReadonlyMap<string, AppIdentity>; users: ReadonlyMap<number, string> }> {
  if (userIds.length === 0) {
    return { apps: await findAppNames(directory, clientIds), users: new Map() };
  }
  const isNamed = sql`${users.id} in (select value from json_each(${JSON.stringify(userIds)}))`;
  const [foundApps, foundUsers] = await directory.batch([
    selectApps(directory, clientIds),
    directory.select({ id: users.id, name: users.name }).from(users).where(isNamed),
  ]);
  return {
    apps: toIdentities(foundApps),
    users: new Map(foundUsers.map(({ id, name }) => [id, name])),
  };
}

const selectApps = (directory: Database, clientIds: readonly string[]) =>
  directory
    .select({
      clientId: apps.client_id,
      name: apps.name,
      names: apps.names,
      publisher: apps.publisher,
      host: apps.host,
      site_url: apps.site_url,
      support: apps.support,
      privacy_url: apps.privacy_url,
      logo: apps.logo,
      verified_host: apps.verified_host,
      verified_at: apps.verified_at,
    })
    .from(apps)
    .where(sql`${apps.client_id} in (select value from json_each(${JSON.stringify(clientIds)}))`);

const toIdentities = (
  found: readonly (AppIdentity & Pick<App, 'names'> & { clientId: string })[],
  language?: Language,
) =>
  new Map(
    found.map(({ clientId, names, ...identity }) => [
      clientId,
      { ...identity, ...(language && { name: nameIn({ ...identity, names }, language) }) },
    ]),
  );

/** The properties of an app that its partner sets. */
export type AppValues = Pick<
  App,
  'name' | 'publisher' | 'site_url' | 'support' | 'privacy_url' | 'redirect_uris' | 'scopes'
>;

/** An app with the name of its partner. */
export type OwnApp = App & { partner: string };

/**
 * The most apps that a list has: those of a user, and of the partners whose teams the user is in.
 */
const maxListedApps = 200;

/**
 * The apps that a user manages, newest first: their own, and those of the partners whose teams they
 * are in. One round trip.
 */
export const listOwnApps = async (directory: Database, userId: number): Promise<OwnApp[]> =>
  directory
    .select({ ...getTableColumns(apps), partner: users.name })
    .from(apps)
    .innerJoin(users, eq(users.id, apps.owner_id))
    .where(isManagedBy(userId))
    .orderBy(desc(apps.id))
    .limit(maxListedApps);

/** An app that a user manages, not from the cache; `undefined` for any other. One round trip. */
export async function findOwnApp(
  directory: Database,
  userId: number,
  clientId: string,
): Promise<OwnApp | undefined> {
  const [app] = await directory
    .select({ ...getTableColumns(apps), partner: users.name })
    .from(apps)
    .innerJoin(users, eq(users.id, apps.owner_id))
    .where(and(eq(apps.client_id, clientId), isManagedBy(userId)));
  return app;
}

/** The condition that an app belongs to a user, or to a partner whose team the user is in. */
export const isManagedBy = (userId: number) =>
  sql`${apps.owner_id} in (select ${userId} union all
    select partner_id from ${partnerMembers} where user_id = ${userId})`;

/**
 * Who withdraws an app: the line of the audit, which joins the batch; and why, if an operator does
 * it.
 */
export interface RecordedWithdrawal {
  audit: Statement;
  /** Tells the partner. */
  mail?: Statement;
  reason?: string;
  /** Whether they may do it, at the moment of the batch. */
  where?: SQL;
}

/**
 * Disables an app or makes it a draft again, and records the time, which is later than that of any
 * other withdrawal. Each shard then ends the grants of the app (`listWithdrawals`). Safe to repeat.
 * An app that an operator disabled stays disabled. One round trip.
 */
export async function withdrawApp(
  directory: Database,
  { clientId, state, now }: { clientId: string; state: 'disabled' | 'draft'; now: number },
  by?: RecordedWithdrawal,
): Promise<void> {
  const latest = sql`(select max(withdrawn_at) from ${apps} where withdrawn_at is not null)`;
  const reason = by?.reason;
  const withdraw = directory
    .update(apps)
    .set({
      state,
      updated_at: now,
      withdrawn_at: sql`max(${now}, coalesce(${latest} + 1, 0))`,
      ...(reason !== undefined && { disabled_reason: reason }),
    })
    .where(
      and(
        eq(apps.client_id, clientId),
        reason === undefined ? isNull(apps.disabled_reason) : ne(apps.state, 'disabled'),
        by?.where,
      ),
    );
  await (by ? directory.batch([by.audit, ...(by.mail ? [by.mail] : []), withdraw]) : withdraw);
  evictApp(clientId);
}

/** An app that was withdrawn, and its state now. Times are epoch milliseconds. */
interface Withdrawal {
  clientId: string;
  withdrawnAt: number;
  state: App['state'];
}

/** The withdrawals after one, in their order. Reads one row each from an index. One round trip. */
export const listWithdrawals = async (
  directory: Database,
  after: number,
  limit: number,
): Promise<Withdrawal[]> =>
  directory
    .select({
      clientId: apps.client_id,
      // The condition leaves no null.
      withdrawnAt: sql<number>`${apps.withdrawn_at}`,
      state: apps.state,
    })
    .from(apps)
    .where(gt(apps.withdrawn_at, after))
    .orderBy(asc(apps.withdrawn_at))
    .limit(limit);
