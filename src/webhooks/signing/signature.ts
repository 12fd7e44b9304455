import { hmacSha256 } from '../../base/crypto/hmac.ts';
import { randomBase64 } from '../../base/crypto/random.ts';
import { secretPrefix, type SigningKey } from './import-key.ts';
import type { SigningSecrets } from './signing-secrets.ts';

const encoder = new TextEncoder();

/** Creates a signing secret: `whsec_` and 32 random bytes in base64. */
export function createSecret(): string {
  return secretPrefix + randomBase64(32);
}

/** The signed content: the id of the event, the time of the attempt in epoch milliseconds, and the body. */
interface SignedContent {
  id: string;
  at: number;
  body: Uint8Array;
}

/**
 * Creates all signature headers of one request. The specification's header signs the body with the whole secret text as
 * key. The Standard Webhooks header signs `id.timestamp.body` with the bytes that the secret encodes. During a rotation,
 * the second secret signs a header of its own, and the Standard Webhooks list carries both, the new one first.
 */
export async function createSignatureHeaders(
  serviceName: string,
  { primary, second }: SigningSecrets<SigningKey>,
  { id, at, body }: SignedContent,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(at / 1000).toString();
  const standardContent = concatenate(`${id}.${timestamp}.`, body);
  const specificationSignature = (key: SigningKey) => hmacSha256(key.specification, body);
  const standardSignature = async (key: SigningKey) =>
    `v1,${await hmacSha256(key.standard, standardContent)}`;
  const newestFirst = second?.suffix === 'Next' ? [second.secret, primary] : [primary];
  if (second?.suffix === 'Previous') newestFirst.push(second.secret);
  const header = `X-${serviceName}-Hmac-SHA256`;
  return {
    [header]: await specificationSignature(primary),
    ...(second && { [`${header}-${second.suffix}`]: await specificationSignature(second.secret) }),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(newestFirst.map(standardSignature))).join(' '),
  };
}

function concatenate(head: string, body: Uint8Array): Uint8Array {
  const start = encoder.encode(head);
  const bytes = new Uint8Array(start.length + body.length);
  bytes.set(start);
  bytes.set(body, start.length);
  return bytes;
}
