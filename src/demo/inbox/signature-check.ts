import { eq } from 'drizzle-orm';
import { equalInConstantTime } from '../../crypto/digest.ts';
import { importHmacKey, hmacSha256 } from '../../crypto/hmac.ts';
import { unseal } from '../../crypto/seal.ts';
import { openDatabase } from '../../db/core/open.ts';
import { stores } from '../../db/schema/directory.ts';
import { webhookEndpoints } from '../../db/schema/store/webhooks.ts';
import { shardBinding } from '../../db/shards/shards.ts';
import { settingsOf } from '../../settings.ts';

/** `unknown` when the request names no webhook of this service. */
export type SignatureVerdict = 'valid' | 'invalid' | 'unknown';

const encoder = new TextEncoder();

/** Checks `X-{service}-Hmac-SHA256` of a delivery with the webhook's secret, read from the database. */
export async function checkDeliverySignature(
  env: Env,
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
): Promise<SignatureVerdict> {
  const { serviceName } = settingsOf(env);
  const alias = headers.get(`X-${serviceName}-Shop-Domain`) ?? '';
  const endpointId = /^(\d+)-\d+$/.exec(headers.get(`X-${serviceName}-Delivery-Id`) ?? '')?.[1];
  const secrets = endpointId ? await loadEndpointSecrets(env, alias, Number(endpointId)) : [];
  if (secrets.length === 0) return 'unknown';
  const signature = headers.get(`X-${serviceName}-Hmac-SHA256`) ?? '';
  const matches = await Promise.all(
    secrets.map(async (secret) =>
      equalInConstantTime(
        signature,
        await hmacSha256(await importHmacKey(encoder.encode(secret)), body),
      ),
    ),
  );
  return matches.includes(true) ? 'valid' : 'invalid';
}

/**
 * Loads the secret of an endpoint, or both secrets during a rotation. Endpoint ids are unique only within a shard, so
 * the store is needed as well.
 */
async function loadEndpointSecrets(env: Env, alias: string, endpointId: number): Promise<string[]> {
  const [store] = await openDatabase(env.DIRECTORY)
    .select({ id: stores.id, shard: stores.shard })
    .from(stores)
    .where(eq(stores.alias, alias));
  if (!store) return [];
  const [found] = await openDatabase(shardBinding(env, store.shard))
    .select({
      storeId: webhookEndpoints.store_id,
      current: webhookEndpoints.secret_current,
      previous: webhookEndpoints.secret_previous,
    })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, endpointId));
  if (found?.storeId !== store.id) return [];
  const sealedSecrets = found.previous === null ? [found.current] : [found.current, found.previous];
  try {
    const { sealingKeys } = settingsOf(env);
    return await Promise.all(
      sealedSecrets.map((sealed) => unseal(sealingKeys, sealed, `webhook-secret:${store.id}`)),
    );
  } catch {
    return [];
  }
}
