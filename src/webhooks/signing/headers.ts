import type { SigningKey } from './import-key.ts';
import { createSignatureHeaders } from './signature.ts';
import type { SigningSecrets } from './signing-secrets.ts';

/** Everything that the headers of one attempt say. `at` and `triggeredAt` are epoch milliseconds. */
interface RequestEnvelope {
  serviceName: string;
  secrets: SigningSecrets<SigningKey>;
  endpoint: number;
  /** Raised after a database restore, so that a sequence number that is used again looks different. */
  epoch: number;
  seq: number;
  eventId: string;
  event: string;
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

/** Matches the beginning of every body; the store stands before the resource, which may be large. */
const merchant = /^\{"event":"[^"]*",(?:"time":"[^"]*",)?"merchant":\{"id":\d+,"alias":"([^"\\]*)"/;

/** The alias of the store in the body of an event (`merchant.alias`), or an empty text. */
const aliasIn = (body: string) => merchant.exec(body)?.[1] ?? '';
