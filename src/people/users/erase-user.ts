import { sql, type SQL } from 'drizzle-orm';
import { evictApiKeysOfUser } from '../../access/api-keys.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import {
  apiKeys,
  oneUseLinks,
  passwords,
  recoveryCodes,
  secondFactors,
  sessions,
  signInCountries,
} from '../../db/schema/credentials.ts';
import { memberships, stores, users } from '../../db/schema/directory.ts';
import { blockedAddresses, mails } from '../../db/schema/mail.ts';
import { apps } from '../../db/schema/partners.ts';
import { audit, invitations, partnerMembers } from '../../db/schema/people.ts';
import { conflict } from '../../errors.ts';
import type { DeedContext } from '../deed.ts';
import type { UserRow } from './create-user.ts';
import { assertFound, userStatement } from './find-user.ts';
import { isOtherOperatorSql } from './operators.ts';
import { userLine } from './user-line.ts';

/** The address of a user who is erased: nobody gets mail there. */
const erasedAddress = sql`'erased-' || ${users.id} || '@erased.invalid'`;

/** The tables whose rows of a user are nothing but theirs. */
const ownTables = [
  memberships,
  oneUseLinks,
  partnerMembers,
  passwords,
  recoveryCodes,
  secondFactors,
  sessions,
  signInCountries,
] as const;

/**
 * Erases what there is of a user for ever: address, name and other personal data, credentials, memberships, mails, and the name
 * in the audit. The row stays for what refers to it. Throws a 409 for the owner of a store or of an app that is not disabled,
 * and for the last operator. A user who is erased stays so. One batch.
 */
export async function eraseUser(
  deed: DeedContext,
  { userId, reason }: { userId: number; reason: string },
): Promise<UserRow> {
  const { directory, now } = deed;
  const isReady = sql`${users.id} = ${userId} and ${users.email} <> ${erasedAddress}
    and (super_user = 0 or ${isOtherOperatorSql(userId)})
    and not exists (select 1 from ${stores} where owner_id = ${userId} and erased_at is null)
    and not exists (select 1 from ${apps} where owner_id = ${userId} and ${apps.state} <> 'disabled')`;
  const mayErase = sql`exists (select 1 from ${users} where ${isReady})`;
  const isErased = sql`exists (select 1 from ${users} where ${users.id} = ${userId} and ${users.email} = ${erasedAddress})`;
  const address = sql`(select u.email from ${users} u where u.id = ${userId})`;
  const run = (text: SQL) => rawDatabaseStatement(directory, text);
  const results = await withDbErrors(
    directory.batch([
      auditStatement(directory, userLine(deed, 'user.erased', userId, reason), mayErase),
      // By the address, so before it goes.
      run(
        sql`delete from ${mails} where (user_id = ${userId} or to_address = ${address} collate nocase) and ${mayErase}`,
      ),
      run(sql`delete from ${invitations} where email = ${address} collate nocase and ${mayErase}`),
      run(sql`delete from ${blockedAddresses} where address = lower(${address}) and ${mayErase}`),
      run(
        sql`update ${audit} set changes = '{}'
          where instr(lower(changes), lower(${address})) > 0 and ${mayErase}`,
      ),
      run(sql`update ${users} set email = ${erasedAddress}, name = '—', active = 0, agree = 0, allow_notifications = 0,
          mfa_enabled = 0, super_user = 0, language = null, muted_mails = '[]', social_name = null, cpf = null,
          phone = null, address_street = null, address_number = null, address_neighborhood = null,
          address_complement = null, address_city = null, address_state = null, address_zipcode = null,
          temporary_email = null, birthday = null, avatar_url = null, last_login_at = null, confirmed_at = null,
          updated_at = ${now}
        where ${isReady}`),
      ...ownTables.map((table) =>
        run(sql`delete from ${table} where user_id = ${userId} and ${isErased}`),
      ),
      run(sql`delete from ${partnerMembers} where partner_id = ${userId} and ${isErased}`),
      run(sql`update ${apiKeys} set name = '', revoked_at = coalesce(revoked_at, ${now})
        where user_id = ${userId} and ${isErased}`),
      run(sql`update ${audit} set actor_name = '', country = null, network = null
        where actor_kind in ('user', 'operator') and actor_id = ${String(userId)} and ${isErased}`),
      run(sql`update ${audit} set changes = '{}'
        where target_kind = 'user' and target_id = ${String(userId)} and ${isErased}`),
      userStatement(deed, userId),
    ]),
  );
  const user = assertFound((results.at(-1) as UserRow[])[0]);
  evictApiKeysOfUser(userId);
  if (user.email !== `erased-${userId}@erased.invalid`) throw conflict('user_owns_stores');
  return user;
}
