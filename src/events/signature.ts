import { fromBase64 } from '../crypto/base64.ts';
import { hmacSha256 } from '../crypto/hmac.ts';
import { randomBase64 } from '../crypto/random.ts';

const prefix = 'whsec_';
const encoder = new TextEncoder();

/** A signing secret as its owner sees it: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return prefix + randomBase64(32);
}

/** What is signed: the event's id, the moment of the attempt in epoch milliseconds, and the body's bytes. */
export interface Signable {
  id: string;
  at: number;
  body: Uint8Array;
}

/**
 * Both signatures of one request. The specification's header is made over the body with the whole secret
 * text as key; Standard Webhooks' over `id.timestamp.body` with the bytes that the secret encodes.
 */
export async function signatureHeaders(
  serviceName: string,
  secret: string,
  { id, at, body }: Signable,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(at / 1000).toString();
  const [own, standard] = await Promise.all([
    hmacSha256(encoder.encode(secret), body),
    hmacSha256(fromBase64(secret.slice(prefix.length)), joined(`${id}.${timestamp}.`, body)),
  ]);
  return {
    [`X-${serviceName}-Hmac-SHA256`]: own,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
}

function joined(head: string, body: Uint8Array): Uint8Array {
  const start = encoder.encode(head);
  const bytes = new Uint8Array(start.length + body.length);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}
