import { sql, type SQL } from 'drizzle-orm';
import { conflict } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { erasedAddress } from '../../data/directory/user-overview.ts';
import {
  audit,
  auditAddresses,
  invitations,
  partnerMembers,
} from '../../data/schema/directory/account-tables.ts';
import {
  apiKeys,
  oneUseLinks,
  passwords,
  signInCountries,
} from '../../data/schema/directory/credentials-tables.ts';
import { memberships, stores, users } from '../../data/schema/directory/directory-tables.ts';
import { blockedAddresses, mails } from '../../data/schema/directory/mail-tables.ts';
import { apps, requestLog } from '../../data/schema/directory/partners-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import { endTrust } from '../end-trust.ts';
import type { UserRow } from './create-user.ts';
import { assertFound, userStatement } from './find-user.ts';
import { isOtherOperatorSql } from './operators.ts';
import { userLine } from './user-line.ts';

/** The name that lists show of a user who is erased. */
const erasedName = '—';

/** The tables whose rows belong to one user only. */
const ownTables = [memberships, oneUseLinks, partnerMembers, passwords, signInCountries] as const;

/**
 * Erases all data of a user for ever: address, name and other personal data, credentials,
 * memberships, mails, and the name in the audit. The row stays for the records that refer to it.
 * Throws a 409 for the owner of a store or of an app that is not disabled, and for the last
 * operator. Does nothing to an erased user. One batch.
 */
export async function eraseUser(
  action: ActionContext,
  { userId, reason }: { userId: number; reason: string },
): Promise<UserRow> {
  const { directory, now } = action;
  const erased = erasedAddress(userId);
  const isReady = sql`${users.id} = ${userId} and ${users.email} <> ${erased}
    and (super_user = 0 or ${isOtherOperatorSql(action, userId)})
    and not exists (select 1 from ${stores} where owner_id = ${userId} and erased_at is null)
    and not exists (select 1 from ${apps} where owner_id = ${userId} and ${apps.state} <> 'disabled')`;
  const mayErase = sql`exists (select 1 from ${users} where ${isReady})`;
  const isErased = sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.email} = ${erased})`;
  const address = sql`(select users.email from ${users} where users.id = ${userId})`;
  const run = (text: SQL) => rawDatabaseStatement(directory, text);
  const results: readonly (readonly unknown[])[] = await directory.batch([
    auditStatement(directory, userLine(action, 'user.erased', userId, reason), mayErase),
    // By the address, so before it goes.
    run(
      sql`delete from ${mails} where (user_id = ${userId} or to_address = ${address} collate nocase) and ${mayErase}`,
    ),
    run(sql`delete from ${invitations} where email = ${address} collate nocase and ${mayErase}`),
    run(sql`delete from ${blockedAddresses} where address = lower(${address}) and ${mayErase}`),
    ...Object.values(auditAddresses).map((changed) =>
      run(sql`update ${audit} set changes = '{}'
          where ${sql.raw(changed)} = lower(${address}) and ${mayErase}`),
    ),
    run(sql`update ${users} set email = ${erased}, name = ${erasedName}, active = 0, agree = 0, allow_notifications = 0,
          mfa_enabled = 0, super_user = 0, language = null, muted_mails = '[]', social_name = null, cpf = null,
          phone = null, address_street = null, address_number = null, address_neighborhood = null,
          address_complement = null, address_city = null, address_state = null, address_zipcode = null,
          temporary_email = null, birthday = null, avatar_url = null, last_login_at = null, confirmed_at = null,
          updated_at = ${now}
        where ${isReady}`),
    ...endTrust(action, 'user_erased', { userId }, isErased),
    ...ownTables.map((table) =>
      run(sql`delete from ${table} where user_id = ${userId} and ${isErased}`),
    ),
    run(sql`delete from ${partnerMembers} where partner_id = ${userId} and ${isErased}`),
    run(sql`delete from ${requestLog} where ${isErased} and (caller in (select 'key:' || id from ${apiKeys} where user_id = ${userId})
        or caller in (select 'app:' || client_id from ${apps} where owner_id = ${userId}))`),
    // The files go when the logos are next looked at.
    run(sql`update ${apps} set logo = null where owner_id = ${userId} and ${isErased}`),
    run(sql`update ${apiKeys} set name = '' where user_id = ${userId} and ${isErased}`),
    run(sql`update ${audit} set actor_name = '', country = null, network = null
        where actor_kind in ('user', 'operator') and actor_id = ${String(userId)} and ${isErased}`),
    run(sql`update ${audit} set changes = '{}'
        where target_kind = 'user' and target_id = ${String(userId)} and ${isErased}`),
    run(
      sql`select 1 as last from ${users} where id = ${userId} and super_user = 1 and not ${isOtherOperatorSql(action, userId)}`,
    ),
    userStatement(action, userId),
  ]);
  const user = assertFound((results.at(-1) as UserRow[])[0]);
  forgetUser(userId);
  if (user.email !== erased) {
    throw conflict(results.at(-2)?.length === 1 ? 'last_operator' : 'user_owns_stores');
  }
  return user;
}
