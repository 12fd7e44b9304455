import { hmacSha256 } from '../crypto/hmac.ts';
import { randomBase64 } from '../crypto/random.ts';
import { secretPrefix, type SigningKey } from './signing-keys.ts';
import type { SigningSecrets } from './signing-secrets.ts';

const encoder = new TextEncoder();

/** A signing secret as its owner sees it: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return secretPrefix + randomBase64(32);
}

/** What is signed: the event's id, the moment of the attempt in epoch milliseconds, and the body's bytes. */
export interface Signable {
  id: string;
  at: number;
  body: Uint8Array;
}

/**
 * All signatures of one request. The specification's header is made over the body with the whole secret text as
 * key; Standard Webhooks' over `id.timestamp.body` with the bytes that the secret encodes. While a rotation is under
 * way the second secret signs a header of its own, and the list of Standard Webhooks carries both, the new one first.
 */
export async function signatureHeaders(
  serviceName: string,
  { primary, second }: SigningSecrets<SigningKey>,
  { id, at, body }: Signable,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(at / 1000).toString();
  const signed = joined(`${id}.${timestamp}.`, body);
  const own = (key: SigningKey) => hmacSha256(key.specification, body);
  const standard = async (key: SigningKey) => `v1,${await hmacSha256(key.standard, signed)}`;
  const newestFirst = second?.suffix === 'Next' ? [second.secret, primary] : [primary];
  if (second?.suffix === 'Previous') newestFirst.push(second.secret);
  const header = `X-${serviceName}-Hmac-SHA256`;
  return {
    [header]: await own(primary),
    ...(second && { [`${header}-${second.suffix}`]: await own(second.secret) }),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(newestFirst.map(standard))).join(' '),
  };
}

function joined(head: string, body: Uint8Array): Uint8Array {
  const start = encoder.encode(head);
  const bytes = new Uint8Array(start.length + body.length);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}
