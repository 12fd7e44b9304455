import * as z from 'zod';
import { authLifetimes } from '../base/auth-lifetimes.ts';
import { sha256 } from '../base/crypto/digest.ts';
import { seal, sealedPrefixOf, unseal } from '../base/crypto/seal.ts';
import { log } from '../base/log.ts';
import { settingsOf } from '../base/settings.ts';
import type { RotatedGrant } from '../data/grants/rotate.ts';
import { keyFromToken, type TokenClaims } from './token/grant-tokens.ts';

// KV holds a record of each code and of each chain of refresh tokens: written once, sealed, under a
// hashed key. KV is not consistent enough to decide anything, so only the database decides. A
// record shows that a grant existed that the database has lost. No function of this file rejects,
// and no response waits for one.

const GrantRecord = z.object({
  clientId: z.string(),
  storeAlias: z.string(),
  userId: z.int(),
  scopes: z.int(),
});

/** The record of a grant in KV. */
type GrantRecord = z.output<typeof GrantRecord>;

/** Stores the record of a new code, sealed under the code itself. */
export async function storeCodeRecord(env: Env, code: string, record: GrantRecord): Promise<void> {
  await logFailure('write', async () => {
    const sealed = await seal(await keyFromToken(code), JSON.stringify(record), 'code-record');
    const expirationTtl = authLifetimes.codeRecordTtl / 1000;
    await env.GRANTS.put(await codeKey(code), sealed, { expirationTtl });
  });
}

/** Reads the record of a code; `undefined` when KV has none, fails or returns invalid data. */
export const readCodeRecord = (env: Env, code: string) =>
  logFailure('read', async () => {
    const sealed = await env.GRANTS.get(await codeKey(code));
    if (sealed === null) return undefined;
    const text = await unseal(await keyFromToken(code), sealed, 'code-record');
    return GrantRecord.parse(JSON.parse(text));
  });

/** Reads the record of a chain of refresh tokens; `undefined` as for codes. */
export const readGrantRecord = (env: Env, grantId: string) =>
  logFailure('read', async () => {
    const { sealingKeys } = settingsOf(env);
    const sealed = await env.GRANTS.get(await grantKey(grantId));
    if (sealed === null) return undefined;
    const record = GrantRecord.parse(
      JSON.parse(await unseal(sealingKeys, sealed, grantContext(grantId))),
    );
    return { ...record, isCurrent: sealed.startsWith(await sealedPrefixOf(sealingKeys)) };
  });

/** The record that was read while the database decided, and the grant as it is now. */
interface TokenUse {
  /** `isCurrent`: it is sealed with the current key. */
  record: Promise<(GrantRecord & { isCurrent?: boolean }) | undefined>;
  grant: RotatedGrant | undefined;
  claims: TokenClaims;
}

/**
 * After a redemption: reports a lost grant, and stores the record of the new chain of refresh
 * tokens.
 */
export async function finishRedemption(
  env: Env,
  { isRotated, ...use }: TokenUse & { isRotated: boolean },
): Promise<void> {
  const { grant } = use;
  await Promise.all([
    detectLostGrant(use),
    isRotated && grant ? storeGrantRecord(env, grant) : undefined,
  ]);
}

/**
 * After a refresh: reports a lost grant, and stores the record of the chain if KV has none, or one
 * under the previous key. A chain that lives is refreshed within 30 days, so no record needs that
 * key for longer.
 */
export async function finishRefresh(
  env: Env,
  { isIssued, ...use }: TokenUse & { isIssued: boolean },
): Promise<void> {
  const { grant, record } = use;
  await detectLostGrant(use);
  const isStored = (await record)?.isCurrent === true;
  if (isIssued && grant && !isStored) await storeGrantRecord(env, grant);
}

/**
 * Raises an alarm when the database is behind the presented token. Then KV has the record of a
 * grant that the database lacks, or the token is of a later generation. Only a restored database or
 * a leaked key can cause this.
 */
async function detectLostGrant({ record, grant, claims }: TokenUse): Promise<void> {
  const { grantId, generation } = claims;
  if (grant && grant.generation < generation) {
    log('error', 'oauth_token_ahead_of_grant', { alert: true, grant: grantId, generation });
  }
  if ((await record) && !grant) log('error', 'oauth_grant_lost', { alert: true, grant: grantId });
}

async function storeGrantRecord(env: Env, grant: RotatedGrant): Promise<void> {
  await logFailure('write', async () => {
    const { id, client_id: clientId, store_alias: storeAlias, user_id: userId, scopes } = grant;
    const record: GrantRecord = { clientId, storeAlias, userId, scopes };
    const sealed = await seal(
      settingsOf(env).sealingKeys,
      JSON.stringify(record),
      grantContext(id),
    );
    const expirationTtl = authLifetimes.refreshRecordTtl / 1000;
    await env.GRANTS.put(await grantKey(id), sealed, { expirationTtl });
  });
}

/**
 * Deletes the records of chains of refresh tokens. Rejects if KV does not respond, so that it is
 * tried again.
 */
export async function deleteGrantRecords(env: Env, grantIds: readonly string[]): Promise<void> {
  for (const id of grantIds) await env.GRANTS.delete(await grantKey(id));
}

const codeKey = async (code: string) => `code:${await sha256(code)}`;
const grantKey = async (grantId: string) => `rt:${await sha256(grantId)}`;
const grantContext = (grantId: string) => `grant-record:${grantId}`;

async function logFailure<T>(
  action: 'read' | 'write',
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    // The message of the error may quote the record, so it is not logged.
    log('warn', 'oauth_record_failed', { action });
    return undefined;
  }
}
