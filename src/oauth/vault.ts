import * as z from 'zod';
import { seal, unseal } from '../crypto/seal.ts';
import { sha256 } from '../crypto/sha256.ts';
import type { SteppedGrant } from '../db/grants/advance.ts';
import { lifetimes } from '../lifetimes.ts';
import { log } from '../log.ts';
import { settingsOf } from '../settings.ts';
import { keyUnder } from './key-under.ts';

/** What KV remembers of a grant. */
const GrantRecord = z.object({
  clientId: z.string(),
  merchant: z.string(),
  userId: z.int(),
  scopes: z.int(),
});

export type GrantRecord = z.output<typeof GrantRecord>;

/**
 * KV holds a record of each code and of each chain of refresh tokens: written once, under a hashed key, sealed.
 * The database alone decides, since KV is not consistent enough for that; a record tells of a grant that the
 * database has lost (`watch`). None of these functions rejects, and nobody waits for one.
 */
export async function keepCode(env: Env, code: string, record: GrantRecord): Promise<void> {
  await quietly('write', async () => {
    const sealed = await seal(await keyUnder(code), JSON.stringify(record), 'code-record');
    const expirationTtl = lifetimes.codeRecord / 1000;
    await env.GRANTS.put(await codeKey(code), sealed, { expirationTtl });
  });
}

/** The record of a code; `undefined` when KV does not have it, cannot say or tells nonsense. */
export const recordOfCode = (env: Env, code: string) =>
  quietly('read', async () => {
    const sealed = await env.GRANTS.get(await codeKey(code));
    if (sealed === null) return undefined;
    return GrantRecord.parse(JSON.parse(await unseal(await keyUnder(code), sealed, 'code-record')));
  });

/** Remembers that a grant has refresh tokens. */
export async function keepGrant(env: Env, grant: SteppedGrant): Promise<void> {
  await quietly('write', async () => {
    const { id, client_id: clientId, merchant, user_id: userId, scopes } = grant;
    const record: GrantRecord = { clientId, merchant, userId, scopes };
    const context = `grant-record:${id}`;
    const sealed = await seal(settingsOf(env).sealingKey, JSON.stringify(record), context);
    const expirationTtl = lifetimes.refreshRecord / 1000;
    await env.GRANTS.put(await grantKey(id), sealed, { expirationTtl });
  });
}

/** The record of a chain of refresh tokens, or `undefined` as for codes. */
export const recordOfGrant = (env: Env, grantId: string) =>
  quietly('read', async () => {
    const sealed = await env.GRANTS.get(await grantKey(grantId));
    if (sealed === null) return undefined;
    const { sealingKey } = settingsOf(env);
    return GrantRecord.parse(
      JSON.parse(await unseal(sealingKey, sealed, `grant-record:${grantId}`)),
    );
  });

const codeKey = async (code: string) => `code:${await sha256(code)}`;
const grantKey = async (grantId: string) => `rt:${await sha256(grantId)}`;

async function quietly<T>(doing: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    // The reason may quote what was read.
    log('warn', 'oauth_record_failed', { doing });
    return undefined;
  }
}
