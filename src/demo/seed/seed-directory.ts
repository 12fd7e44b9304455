import { and, eq, inArray, sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import type { Database } from '../../data/core/open-database.ts';
import { isUserEmail } from '../../data/directory/sign-in-accounts.ts';
import { scopesToBits, scopes } from '../../data/grants/scopes.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import {
  memberships,
  shards,
  stores,
  users,
} from '../../data/schema/directory/directory-tables.ts';
import { apps } from '../../data/schema/directory/partners-tables.ts';
import { demoMembers, demoStores, demoUsers } from './account-data.ts';

/** Aliases of the demo's stores. */
export const demoAliases = demoStores.map(({ alias }) => alias);

export const userIdOf = (email: string) =>
  sql`(select ${users.id} from ${users} where ${isUserEmail(email)})`;

export function insertUsersStatement(directory: Database, now: number) {
  const rows = demoUsers.map((user) => ({
    ...user,
    super_user: 'super_user' in user,
    agree: true,
    confirmed_at: now,
    // No new accounts, whose mails are limited.
    created_at: now - 30 * dayMs,
    updated_at: now,
  }));
  return directory.insert(users).values(rows).onConflictDoNothing();
}

export function insertShardsStatement(directory: Database, numbers: readonly number[]) {
  const rows = numbers.map((number) => ({ number }));
  return directory.insert(shards).values(rows).onConflictDoNothing();
}

export function insertStoresStatement(directory: Database, now: number) {
  const rows = demoStores.map(({ owner, ...store }) => ({
    ...store,
    owner_id: userIdOf(owner),
    zone: 'America/Sao_Paulo',
    base_url: `https://${store.alias}.loja.test`,
    created_at: now,
    updated_at: now,
  }));
  return directory.insert(stores).values(rows).onConflictDoNothing();
}

/** Makes each owner a member of their demo stores. */
export function insertOwnersStatement(directory: Database, now: number) {
  return directory
    .insert(memberships)
    .select(
      directory
        .select({
          user_id: users.id,
          store_id: stores.id,
          role: sql<'owner'>`'owner'`.as('role'),
          created_at: sql<number>`${now}`.as('created_at'),
        })
        .from(stores)
        .innerJoin(users, and(eq(users.id, stores.owner_id), inArray(stores.alias, demoAliases))),
    )
    .onConflictDoNothing();
}

export function insertMembersStatement(directory: Database, now: number) {
  const rows = demoMembers.map(({ email, alias, role }) => ({
    user_id: userIdOf(email),
    store_id: sql<number>`(select id from ${stores} where alias = ${alias})`,
    role,
    created_at: now,
  }));
  return directory.insert(memberships).values(rows).onConflictDoNothing();
}

/**
 * The passwords of the demo (`demo-password-ana` and so on), hashed in advance because each hash
 * takes a quarter of a second.
 */
export const demoPasswords = [
  {
    email: 'ana@demo.test',
    hash: '$scrypt$ln=15,r=8,p=3$D7O-GO1Yp9c94EzbABd_ig$2Iue9kPbv5xOgLgolsv1CHiAlelO8yC16i1buxQHmiE',
  },
  {
    email: 'bruno@demo.test',
    hash: '$scrypt$ln=15,r=8,p=3$PXBKwQ0kPrXZKm6piugOfA$qM70zTOsvonAdYCeZlMwLk2qU37zOx5jU7FOVax966U',
  },
  {
    email: 'olga@demo.test',
    hash: '$scrypt$ln=15,r=8,p=3$x-a-fIIXDmQhGbj1MCVk9g$Qqn0nSmPw8LkL3EKafgrQz9esckmK6DFzxAKl_HrQio',
  },
  {
    email: 'vera@demo.test',
    hash: '$scrypt$ln=15,r=8,p=3$VzJIMYdzFnUEOKW-hCQ4zA$jWMqaxWOoSc2CEULvxpSjhcXWhmcIYH72Ush_-G2G2s',
  },
  {
    email: 'paula@demo.test',
    hash: '$scrypt$ln=15,r=8,p=3$ud_YwRg_4LcSH7z25MJwjQ$t8AeOcHhuZD3jJJQOS3RZDAQ4T6xZt7Pjz1eE5-DmS8',
  },
] as const;

export function insertPasswordsStatement(directory: Database, now: number) {
  const rows = demoPasswords.map(({ email, hash }) => ({
    user_id: userIdOf(email),
    hash,
    changed_at: now,
  }));
  return directory.insert(passwords).values(rows).onConflictDoNothing();
}

const partnerEmail = 'paula@demo.test';

/** One of a native app, which may use any port, and one of an app on a server. */
const redirectUris = ['http://127.0.0.1/callback', 'https://partner.example/callback'];

/** Who makes the demo's apps. */
const demoPublisher = {
  site_url: 'https://partner.example/',
  support: 'ajuda@partner.example',
  privacy_url: 'https://partner.example/privacy',
  verified_host: 'partner.example',
};

/**
 * The apps of the demo's partner: with every scope, with one scope, and one that is not published.
 */
const demoApps = [
  { client_id: 'demo-app', name: 'Estoque Fácil', scopes, state: 'published' },
  {
    client_id: 'catalog-app',
    name: 'Vitrine Pronta',
    scopes: ['catalog.read'],
    state: 'published',
  },
  { client_id: 'draft-app', name: 'Etiquetas Express', scopes, state: 'draft' },
] as const;

export function insertAppsStatement(directory: Database, now: number) {
  const rows = demoApps.map((app) => ({
    ...app,
    owner_id: userIdOf(partnerEmail),
    publisher: 'Paula Prado Software',
    ...demoPublisher,
    verified_at: now,
    redirect_uris: redirectUris,
    scopes: scopesToBits(new Set(app.scopes)),
    created_at: now,
    updated_at: now,
  }));
  return directory.insert(apps).values(rows).onConflictDoNothing();
}
