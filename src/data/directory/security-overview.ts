import { and, desc, eq, gt, gte, isNull, sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import {
  passkeys,
  passwords,
  recoveryCodes,
  rememberedDevices,
  secondFactors,
  sessions,
} from '../schema/directory/credentials-tables.ts';
import { users } from '../schema/directory/directory-tables.ts';

/** Reads what the security page of a user shows. One round trip. */
export async function loadSecurity(directory: Database, userId: number, now: number) {
  const [[row], [codes], devices, keys] = await directory.batch([
    directory
      .select({
        passwordChangedAt: passwords.changed_at,
        temporaryEmail: users.temporary_email,
        hasApp: sql<number>`exists (select 1 from ${secondFactors} where user_id = ${userId})`
          .mapWith(Boolean)
          .as('has_app'),
      })
      .from(users)
      .innerJoin(passwords, eq(passwords.user_id, users.id))
      .where(eq(users.id, userId)),
    directory
      .select({ count: sql<number>`count(*)` })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.user_id, userId), isNull(recoveryCodes.used_at))),
    selectDevices(directory, userId, now),
    selectPasskeys(directory, userId),
  ]);
  return row && { ...row, codesLeft: codes?.count ?? 0, devices, passkeys: keys };
}

/** Selects the passkeys of a user, the first one first. */
const selectPasskeys = (directory: Database, userId: number) =>
  directory
    .select({
      id: passkeys.id,
      credentialId: passkeys.credential_id,
      name: passkeys.name,
      createdAt: passkeys.created_at,
      usedAt: passkeys.used_at,
      blockedAt: passkeys.blocked_at,
    })
    .from(passkeys)
    .where(eq(passkeys.user_id, userId))
    .orderBy(passkeys.id);

/** Selects the devices that need no second step, the latest one first. */
const selectDevices = (directory: Database, userId: number, now: number) =>
  directory
    .select({
      id: rememberedDevices.id,
      device: rememberedDevices.device,
      createdAt: rememberedDevices.created_at,
      usedDay: rememberedDevices.used_day,
      expiresAt: rememberedDevices.expires_at,
    })
    .from(rememberedDevices)
    .where(and(eq(rememberedDevices.user_id, userId), gt(rememberedDevices.expires_at, now)))
    .orderBy(desc(rememberedDevices.created_at), desc(rememberedDevices.id));

/** The most sessions that the page of devices lists: the latest ones. */
const maxListed = 100;

/** Lists the live sessions of a user, the last used one first. One round trip. */
export async function listSessions(directory: Database, userId: number, now: number) {
  return directory
    .select({
      idHash: sessions.id_hash,
      device: sessions.device,
      country: sessions.country,
      startedAt: sessions.created_at,
      seenAt: sessions.seen_at,
    })
    .from(sessions)
    .innerJoin(
      passwords,
      and(eq(passwords.user_id, sessions.user_id), gte(sessions.created_at, passwords.changed_at)),
    )
    .where(and(eq(sessions.user_id, userId), gt(sessions.expires_at, now)))
    .orderBy(desc(sessions.seen_at))
    .limit(maxListed);
}
