import { fromBase64, toBase64url } from '../crypto/base64.ts';
import { deriveKey } from '../crypto/derive.ts';
import { isMacOf, mac } from '../crypto/mac.ts';
import { randomBytes } from '../crypto/random.ts';
import type { Settings } from '../settings.ts';

const randomLength = 12;
const tagLength = 6;

type Known = Pick<Settings, 'sealingKey' | 'namedClients'>;

/**
 * A new client id: 24 characters, of which the last eight are a MAC, so that an invented id is refused
 * without a look-up. Its key comes from the root that is never rotated, as client ids stay for good.
 */
export async function newClientId({ sealingKey }: Known): Promise<string> {
  const random = randomBytes(randomLength);
  const tag = await mac(await idKey(sealingKey), random, tagLength);
  return toBase64url(random) + toBase64url(tag);
}

/** Whether this may be one of our client ids; no I/O. Those of the demo are named in the settings. */
export async function isPossibleClientId(
  { sealingKey, namedClients }: Known,
  clientId: string,
): Promise<boolean> {
  if (namedClients.has(clientId)) return true;
  if (!/^[A-Za-z0-9_-]{24}$/.test(clientId)) return false;
  const bytes = fromBase64(clientId);
  const [random, tag] = [bytes.subarray(0, randomLength), bytes.subarray(randomLength)];
  return isMacOf(await idKey(sealingKey), random, tag);
}

const idKey = (root: string) => deriveKey(root, 'client-id/v1', 'sign');
