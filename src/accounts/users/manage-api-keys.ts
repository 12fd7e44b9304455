import { sql } from 'drizzle-orm';
import { sha256 } from '../../base/crypto/digest.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditLinesStatement, auditStatement } from '../../data/audit/audit-lines.ts';
import {
  addApiKeyStatement,
  findOwnApiKey,
  revokeApiKeyStatement,
} from '../../data/directory/api-keys.ts';
import { memberships, users } from '../../data/schema/directory/directory-tables.ts';
import { evictApiKey } from '../../http/access/api-key.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';

/** The powers of a new API key, as its user chose them. */
export interface NewApiKey {
  userId: number;
  name: string;
  /** Scopes as bits; null for all powers of the user. */
  scopes: number | null;
  /** Null for all stores of the user, also those to come. */
  storeIds: readonly number[] | null;
  isForOperator: boolean;
  /** Epoch milliseconds; null for no end. */
  expiresAt: number | null;
}

/**
 * Creates an API key, of which only digests are stored, and notifies its user by mail. Returns its
 * two parts, which cannot be read again; `undefined` if the user has the most keys already. Each
 * store that the key reaches gets a line in its audit. One batch.
 */
export async function createApiKey(
  action: ActionContext,
  { userId, name, scopes, storeIds, isForOperator, expiresAt }: NewApiKey,
): Promise<{ token: string; secret: string } | undefined> {
  const { directory, settings, now, actor, from } = action;
  const [token, secret] = [`ut_${randomBase64url(24)}`, `sk_${randomBase64url(32)}`];
  const [tokenHash, secretHash] = await Promise.all([sha256(token), sha256(secret)]);
  const lastFour = secret.slice(-4);
  const mail = await prepareMail(settings, {
    kind: 'api_key_created',
    data: { name, lastFour },
  });
  const id = sql`(select id from api_keys where token_hash = ${tokenHash})`;
  const isCreated = sql`exists ${id}`;
  const line = {
    at: now,
    actor,
    from,
    action: 'api_key.created',
    target: { kind: 'api_key' as const, id },
  };
  const inOwnStores = sql`from ${memberships} where user_id = ${userId} and ${isCreated}
    and ${storeIds === null ? sql`1` : sql`store_id in (select value from json_each(${JSON.stringify(storeIds)}))`}`;
  // Without a store no owner would see the line, so operators do.
  const asOperator = { ...line, actor: { ...actor, kind: 'operator' as const } };
  const [added] = await directory.batch([
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
    auditLinesStatement(directory, { ...line, storeId: sql`store_id` }, inOwnStores),
    ...(isForOperator
      ? [
          auditStatement(
            directory,
            asOperator,
            sql`${isCreated} and exists (select 1 from ${users} where id = ${userId} and super_user = 1)`,
          ),
        ]
      : []),
    insertMailToUser(directory, mail, userId, now, isCreated),
  ]);
  if (added.length === 0) return undefined;
  action.defer(wakeMail(action.env));
  return { token, secret };
}

/**
 * Revokes an API key of a user; does nothing if it is revoked or belongs to another user. This
 * isolate rejects it at once, the others within 30 seconds (`http/access/api-key.ts`). An operator
 * gives a reason, which the user reads in a mail. One batch, after a read.
 */
export async function revokeApiKey(
  { directory, settings, env, now, actor, from, defer }: ActionContext,
  { userId, id, reason }: { userId: number; id: number; reason?: string },
): Promise<void> {
  const line = {
    at: now,
    actor,
    from,
    action: 'api_key.revoked',
    target: { kind: 'api_key' as const, id },
    ...(reason !== undefined && { reason }),
  };
  const key = reason === undefined ? undefined : await findOwnApiKey(directory, userId, id);
  // An expired key ends nothing, so nobody is told; its user may still clear it away.
  if (reason !== undefined && (!key || (key.expiresAt ?? now + 1) <= now)) return;
  const isLive = sql`exists (select 1 from api_keys where id = ${id} and user_id = ${userId} and revoked_at is null)`;
  const mail =
    key &&
    (await prepareMail(settings, {
      kind: 'api_key_revoked',
      data: { name: key.name, lastFour: key.lastFour, reason: reason ?? '' },
    }));
  const inItsStores = sql`from ${memberships} join api_keys on api_keys.user_id = ${memberships.user_id}
    where api_keys.id = ${id} and api_keys.user_id = ${userId} and api_keys.revoked_at is null
      and (api_keys.store_ids is null or store_id in (select value from json_each(api_keys.store_ids)))`;
  await directory.batch([
    auditLinesStatement(directory, { ...line, storeId: sql`store_id` }, inItsStores),
    // A key may reach no store.
    ...(mail
      ? [
          auditStatement(directory, line, isLive),
          insertMailToUser(directory, mail, userId, now, isLive),
        ]
      : []),
    revokeApiKeyStatement(directory, { userId, id, now }),
  ]);
  if (mail) defer(wakeMail(env));
  evictApiKey(id);
}
