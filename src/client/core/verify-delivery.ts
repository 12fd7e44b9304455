import { ApiError } from './api-error.ts';
import { decodeDates } from './dates.ts';
import type { DeliveryHeaders, DeliveryInfo, ReceivedDelivery, VerifyOptions } from './public.ts';

/** The body of a delivery, before its dates are read. */
interface EventBody {
  event: string;
}

const encoder = new TextEncoder();

const encode = (text: string) => new Uint8Array(encoder.encode(text));
const defaultToleranceSeconds = 300;

/**
 * Checks that a delivery is genuine and recent, and returns its event. With several secrets, any
 * may have signed. Rejects with the code `signature` otherwise; answer 401 then, and the delivery
 * is repeated later.
 */
export async function verifyDelivery(
  delivery: Request | ReceivedDelivery,
  secrets: string | readonly string[],
  { toleranceSeconds = defaultToleranceSeconds }: VerifyOptions,
  dateFields: ReadonlySet<string>,
): Promise<EventBody & DeliveryInfo> {
  const header = readerOf(delivery.headers);
  const body = await bytesOf(delivery);
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature')
    .split(' ')
    .flatMap((signature) => (signature.startsWith('v1,') ? [signature.slice(3)] : []));
  const plain = header(/^x-.+-hmac-sha256(-next|-previous)?$/);
  if (signatures.length > 0) {
    if (!/^\d{1,12}$/.test(timestamp)) throw refusal('webhook-timestamp is missing.');
    const age = Date.now() / 1_000 - Number(timestamp);
    if (Math.abs(age) > toleranceSeconds) {
      throw refusal(`The delivery was signed ${Math.round(age)} seconds ago. Check the clock.`);
    }
    const content = concatenate(encode(`${id}.${timestamp}.`), body);
    await requireMatch(content, signatures, secrets, standardKey);
  } else if (plain !== '' && toleranceSeconds === Number.POSITIVE_INFINITY) {
    await requireMatch(body, plain.split(' '), secrets, (secret) => encode(secret));
  } else {
    throw refusal('webhook-signature is missing. Pass the headers of the delivery as they came.');
  }
  const [epoch = 0, number = 0] = header(/^x-.+-sequence$/)
    .split('.')
    .map(Number);
  const text = new TextDecoder().decode(body);
  return {
    // The signature proves that the service wrote it.
    ...(decodeDates(JSON.parse(text), dateFields) as EventBody),
    id: id || header(/^x-.+-event-id$/),
    sequence: { epoch, number },
    attempt: Number(header(/^x-.+-attempt$/) || 1),
    changed: header(/^x-.+-changed$/).match(/[^, ]+/g) ?? [],
  };
}

const refusal = (hint: string) => new ApiError('signature', { hint });

async function bytesOf(delivery: Request | ReceivedDelivery): Promise<Uint8Array<ArrayBuffer>> {
  if ('arrayBuffer' in delivery) return new Uint8Array(await delivery.arrayBuffer());
  const { body } = delivery;
  if (typeof body === 'string') return encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return Uint8Array.from(body);
  throw refusal('Pass the body as it was received: a text or bytes, before anything parses it.');
}

/** Returns a function that finds a header by name, or those whose names match, joined by spaces. */
function readerOf(headers: DeliveryHeaders) {
  const entries =
    headers instanceof Headers
      ? [...headers]
      : Object.entries(headers).map(([name, value = '']) => [name, String(value)] as const);
  const lower = entries.map(([name, value]) => [name.toLowerCase(), value] as const);
  return (wanted: string | RegExp) =>
    lower
      .filter(([name]) => (typeof wanted === 'string' ? name === wanted : wanted.test(name)))
      .map(([, value]) => value)
      .join(' ');
}

/** Throws unless one of the signatures is that of one of the secrets. Compares in constant time. */
async function requireMatch(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secrets: string | readonly string[],
  keyOf: (secret: string) => Uint8Array<ArrayBuffer>,
) {
  for (const secret of [secrets].flat()) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['verify']);
    for (const signature of signatures.slice(0, 10)) {
      const bytes = fromBase64(signature);
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content))) return;
    }
  }
  throw refusal('No signature fits. Check that the secret is that of this webhook.');
}

/** The key of the Standard Webhooks signature: the bytes that the secret encodes. */
function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = /^whsec_./.test(secret) ? fromBase64(secret.slice('whsec_'.length)) : undefined;
  if (!bytes) throw refusal('The secret must be that of the webhook: whsec_ and base64.');
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenate(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}
