import { sql } from 'drizzle-orm';
import { sha256 } from '../../crypto/digest.ts';
import { randomBase64url } from '../../crypto/random.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import { addApiKeyStatement } from '../../db/directory/api-keys.ts';
import { auditInStoresStatement, auditStatement } from '../../db/directory/audit.ts';
import { memberships, users } from '../../db/schema/directory.ts';
import type { MailLanguage } from '../../mail/outbox.ts';
import { insertMailToUser, prepareMail } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';

/** What an API key may do, as its user chose it. */
export interface NewApiKey {
  userId: number;
  name: string;
  /** Scopes as bits; null for all that the user may do. */
  scopes: number | null;
  /** Null for all stores of the user, also those to come. */
  storeIds: readonly number[] | null;
  isForOperator: boolean;
  /** Epoch milliseconds; null for no end. */
  expiresAt: number | null;
}

/**
 * Makes an API key, of which only digests are stored, and tells its user by mail. Returns its two parts, which cannot be read
 * again; `undefined` if the user has the most keys already. Each store that the key reaches gets a line in its audit. One batch.
 */
export async function createApiKey(
  deed: DeedContext,
  { userId, name, scopes, storeIds, isForOperator, expiresAt }: NewApiKey,
  language: MailLanguage,
): Promise<{ token: string; secret: string } | undefined> {
  const { directory, settings, now, actor, from } = deed;
  const [token, secret] = [`ut_${randomBase64url(24)}`, `sk_${randomBase64url(32)}`];
  const [tokenHash, secretHash] = await Promise.all([sha256(token), sha256(secret)]);
  const lastFour = secret.slice(-4);
  const mail = await prepareMail(settings, {
    kind: 'api_key_created',
    data: { name, lastFour },
    language,
  });
  const id = sql`(select id from api_keys where token_hash = ${tokenHash})`;
  const isMade = sql`exists ${id}`;
  const line = {
    at: now,
    actor,
    from,
    action: 'api_key.created',
    target: { kind: 'api_key', id },
  };
  const inOwnStores = sql`from ${memberships} where user_id = ${userId} and ${isMade}
    and ${storeIds === null ? sql`1` : sql`store_id in (select value from json_each(${JSON.stringify(storeIds)}))`}`;
  // Without a store no owner would see the line, so operators do.
  const asOperator = { ...line, actor: { ...actor, kind: 'operator' as const } };
  const [added] = await withDbErrors(
    directory.batch([
      addApiKeyStatement(directory, {
        user_id: userId,
        name,
        token_hash: tokenHash,
        secret_hash: secretHash,
        last_four: lastFour,
        scopes,
        store_ids: storeIds === null ? null : [...storeIds],
        for_operator: isForOperator,
        expires_at: expiresAt,
        created_at: now,
      }),
      auditInStoresStatement(directory, line, inOwnStores),
      ...(isForOperator
        ? [
            auditStatement(
              directory,
              asOperator,
              sql`${isMade} and exists (select 1 from ${users} where id = ${userId} and super_user = 1)`,
            ),
          ]
        : []),
      insertMailToUser(directory, mail, userId, now, isMade),
    ]),
  );
  if (added.length === 0) return undefined;
  deed.defer(wakeMail(deed.env));
  return { token, secret };
}
