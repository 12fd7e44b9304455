import { eq } from 'drizzle-orm';
import { equalInConstantTime } from '../../base/crypto/digest.ts';
import { importHmacKey, hmacSha256 } from '../../base/crypto/hmac.ts';
import { unseal } from '../../base/crypto/seal.ts';
import { settingsOf } from '../../base/settings.ts';
import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';

/** `unknown` when the request names no webhook of this service. */
export type SignatureVerdict = 'valid' | 'invalid' | 'unknown';

const encoder = new TextEncoder();

/**
 * Checks `X-{service}-Hmac-SHA256` of a delivery with the webhook's secret, read from the database.
 */
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
 * Loads the secret of an endpoint, or both secrets during a rotation. Endpoint ids are unique only
 * within a shard, so the store is needed as well.
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
