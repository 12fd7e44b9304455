import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { passkeys, passwords, secondFactors } from '../schema/directory/credentials-tables.ts';
import { users } from '../schema/directory/directory-tables.ts';

type Rows<Select extends (...args: never[]) => PromiseLike<unknown[]>> = Awaited<
  ReturnType<Select>
>[number];

/** The condition that a user has an address, without regard to letter case. */
export const isUserEmail = (email: string) => sql`${users.email} = ${email} collate nocase`;

const ownsPasskey = sql<number>`exists (select 1 from ${passkeys} where user_id = ${users.id})`
  .mapWith(Boolean)
  .as('has_passkey');

/** Selects the data that a password is checked against, if an active user has this address. */
export const selectSignInAccount = (directory: Database, email: string) =>
  directory
    .select({
      userId: users.id,
      name: users.name,
      hash: passwords.hash,
      /** When the password was last changed. */
      changedAt: passwords.changed_at,
      hasSecondFactor: users.mfa_enabled,
      hasPasskey: ownsPasskey,
    })
    .from(users)
    .innerJoin(passwords, eq(passwords.user_id, users.id))
    .where(and(isUserEmail(email), eq(users.active, true)));

export type SignInAccount = Rows<typeof selectSignInAccount>;

/** Selects the data that a code of the second factor, or a passkey, is checked against. */
export const selectFactorAccount = (directory: Database, userId: number) =>
  directory
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      /** That of the authenticator app, sealed; null without one. */
      secret: secondFactors.secret,
      hasPasskey: ownsPasskey,
    })
    .from(users)
    .leftJoin(secondFactors, eq(secondFactors.user_id, users.id))
    .where(and(eq(users.id, userId), eq(users.active, true), eq(users.mfa_enabled, true)));

export type FactorAccount = Rows<typeof selectFactorAccount>;

/**
 * Selects a passkey by an id of its authenticator, unless it is blocked, or its user is not active.
 */
export const selectPasskey = (directory: Database, credentialId: string) =>
  directory
    .select({
      id: passkeys.id,
      userId: passkeys.user_id,
      // D1 returns columns by name, and users have one, too.
      name: sql<string>`${passkeys.name}`.as('passkey_name'),
      publicKey: passkeys.public_key,
      signCount: passkeys.sign_count,
      challengedAt: passkeys.challenged_at,
      email: users.email,
      replacesPassword: passkeys.replaces_password,
    })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.user_id))
    .where(
      and(
        eq(passkeys.credential_id, credentialId),
        isNull(passkeys.blocked_at),
        eq(users.active, true),
      ),
    );

/** A passkey as its use is checked. */
export type StoredPasskey = Rows<typeof selectPasskey>;
