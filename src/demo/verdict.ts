import { eq } from 'drizzle-orm';
import { equalInConstantTime } from '../crypto/equal.ts';
import { hmacKey, hmacSha256 } from '../crypto/hmac.ts';
import { unseal } from '../crypto/seal.ts';
import { openShard } from '../db/open.ts';
import { stores } from '../db/schema/directory.ts';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import { shardBinding } from '../db/shards.ts';
import { settingsOf } from '../settings.ts';

/** `unknown` is what names no webhook whose secret could be read. */
export type Verdict = 'valid' | 'invalid' | 'unknown';

const encoder = new TextEncoder();

/** Checks the specification's signature of a delivery, knowing what only its webhook's owner should know. */
export async function verdictOf(
  env: Env,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
): Promise<Verdict> {
  const { serviceName } = settingsOf(env);
  const alias = headers.get(`X-${serviceName}-Shop-Domain`) ?? '';
  const endpoint = /^(\d+)-\d+$/.exec(headers.get(`X-${serviceName}-Delivery-Id`) ?? '')?.[1];
  const secrets = endpoint ? await secretsOf(env, alias, Number(endpoint)) : [];
  if (secrets.length === 0) return 'unknown';
  const signature = headers.get(`X-${serviceName}-Hmac-SHA256`) ?? '';
  const matches = await Promise.all(
    secrets.map(async (secret) =>
      equalInConstantTime(signature, await hmacSha256(await hmacKey(encoder.encode(secret)), body)),
    ),
  );
  return matches.includes(true) ? 'valid' : 'invalid';
}

/**
 * The secret of an endpoint, two while one is being replaced. Numbers of endpoints repeat from shard to shard, so the
 * store is needed to find one.
 */
async function secretsOf(env: Env, alias: string, endpoint: number): Promise<string[]> {
  const [store] = await openShard(env.DIRECTORY)
    .select({ id: stores.id, shard: stores.shard })
    .from(stores)
    .where(eq(stores.alias, alias));
  if (!store) return [];
  const [found] = await openShard(shardBinding(env, store.shard))
    .select({
      storeId: webhookEndpoints.store_id,
      current: webhookEndpoints.secret_current,
      previous: webhookEndpoints.secret_previous,
    })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, endpoint));
  if (found?.storeId !== store.id) return [];
  const sealed = found.previous === null ? [found.current] : [found.current, found.previous];
  try {
    const { sealingKey } = settingsOf(env);
    return await Promise.all(
      sealed.map((one) => unseal(sealingKey, one, `webhook-secret:${store.id}`)),
    );
  } catch {
    return [];
  }
}
