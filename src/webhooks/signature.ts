import { fromBase64 } from '../base/crypto/base64.ts';
import { sha256 } from '../base/crypto/digest.ts';
import { hmacSha256, importHmacKey } from '../base/crypto/hmac.ts';
import { randomBase64 } from '../base/crypto/random.ts';

/** The beginning of every signing secret. */
const secretPrefix = 'whsec_';

/** An imported signing secret. It cannot be read back. */
export interface SigningKey {
  /** For the specification's header: the whole text of the secret. */
  specification: CryptoKey;
  /** For Standard Webhooks: the bytes that the secret encodes. */
  standard: CryptoKey;
  /** Names the secret in the log, without revealing it. */
  id: string;
}

/** Imports a secret. Rejects for any other text. */
export async function importSigningKey(secret: string): Promise<SigningKey> {
  const [specification, standard, digest] = await Promise.all([
    importHmacKey(new TextEncoder().encode(secret)),
    importHmacKey(fromBase64(secret.slice(secretPrefix.length))),
    sha256(secret),
  ]);
  return { specification, standard, id: digest.slice(0, 8) };
}

const encoder = new TextEncoder();

/** Creates a signing secret: `whsec_` and 32 random bytes in base64. */
export function createSecret(): string {
  return secretPrefix + randomBase64(32);
}

/** The secrets that sign one request: encrypted texts, or imported keys. */
export interface SigningSecrets<Secret = string> {
  /** Signs the specification's header. */
  primary: Secret;
  /** Signs a second header, whose name ends in the suffix. */
  second?: { secret: Secret; suffix: 'Next' | 'Previous' };
}

/**
 * The signed content: the id of the event, the time of the attempt in epoch milliseconds, and the
 * body.
 */
interface SignedContent {
  id: string;
  at: number;
  body: Uint8Array;
}

/**
 * Creates all signature headers of one request. The specification's header signs the body with the
 * whole secret text as key. The Standard Webhooks header signs `id.timestamp.body` with the bytes
 * that the secret encodes. During a rotation, the second secret signs a header of its own, and the
 * Standard Webhooks list carries both, the new one first.
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

/**
 * Everything that the headers of one attempt say. `at` and `triggeredAt` are epoch milliseconds.
 */
interface RequestEnvelope {
  serviceName: string;
  secrets: SigningSecrets<SigningKey>;
  endpoint: number;
  /**
   * Raised after a database restore, so that a sequence number that is used again looks different.
   */
  epoch: number;
  seq: number;
  eventId: string;
  event: string;
  /** Names of the fields that an update changed, separated by commas; null for any other event. */
  changed: string | null;
  apiVersion: string;
  /** Counts from 1. */
  attempt: number;
  triggeredAt: number;
  at: number;
  /** The stored text of the event. */
  body: string;
}

/** Creates all headers of one attempt, and the bytes that they sign. */
export async function signRequest(
  envelope: RequestEnvelope,
): Promise<{ headers: Record<string, string>; bytes: Uint8Array }> {
  const { serviceName, secrets, eventId, at } = envelope;
  const bytes = new TextEncoder().encode(envelope.body);
  const signatures = await createSignatureHeaders(serviceName, secrets, {
    id: eventId,
    at,
    body: bytes,
  });
  return { headers: { ...identityHeaders(envelope), ...signatures }, bytes };
}

function identityHeaders(envelope: RequestEnvelope): Record<string, string> {
  const values = {
    Topic: envelope.event,
    'Shop-Domain': aliasIn(envelope.body),
    'API-Version': envelope.apiVersion,
    'Webhook-Id': envelope.eventId,
    'Event-Id': envelope.eventId,
    'Delivery-Id': `${envelope.endpoint}-${envelope.seq}`,
    Sequence: `${envelope.epoch}.${envelope.seq}`,
    Attempt: `${envelope.attempt}`,
    'Triggered-At': new Date(envelope.triggeredAt).toISOString(),
    ...(envelope.changed !== null && { Changed: envelope.changed }),
  };
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': `${envelope.serviceName}-Webhooks/2.0`,
  };
  for (const [name, value] of Object.entries(values)) {
    headers[`X-${envelope.serviceName}-${name}`] = value;
  }
  return headers;
}

/**
 * Matches the beginning of every body; the store stands before the resource, which may be large.
 */
const merchant = /^\{"event":"[^"]*",(?:"time":"[^"]*",)?"merchant":\{"id":\d+,"alias":"([^"\\]*)"/;

/** The alias of the store in the body of an event (`merchant.alias`), or an empty text. */
const aliasIn = (body: string) => merchant.exec(body)?.[1] ?? '';
