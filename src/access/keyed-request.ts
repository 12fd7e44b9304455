import { toBase64url } from '../crypto/base64.ts';
import { deriveKey } from '../crypto/derive.ts';
import { mac } from '../crypto/mac.ts';
import type { KeyedRequest } from '../db/claim.ts';
import type { Principal } from './principal.ts';

/** What makes two requests the same: all of it. */
interface Sent {
  idempotencyKey: string;
  method: string;
  /** Path and query. */
  address: string;
  body: Uint8Array;
}

const encoder = new TextEncoder();

/**
 * A request under the key that its caller gave it. Two callers with the same key have nothing to do with each other. The
 * database gets MACs alone: from a plain digest a short body, such as one with a password, could be guessed.
 */
export async function keyedRequest(
  { key: caller }: Pick<Principal, 'key'>,
  { idempotencyKey, method, address, body }: Sent,
  sealingKey: string,
): Promise<KeyedRequest> {
  const head = encoder.encode(`${JSON.stringify([method, address])}\n`);
  const request = new Uint8Array(head.length + body.length);
  request.set(head);
  request.set(body, head.length);
  const name = encoder.encode(JSON.stringify([caller, idempotencyKey]));
  const [key, fingerprint] = await Promise.all([
    macOf(sealingKey, 'idempotency-key/v1', name),
    macOf(sealingKey, 'idempotent-request/v1', request),
  ]);
  return { key, fingerprint };
}

const macOf = async (root: string, label: string, bytes: Uint8Array) =>
  toBase64url(await mac(await deriveKey(root, label, 'sign'), bytes));
