import { signatureHeaders } from './signature.ts';
import type { SigningKey } from './signing-keys.ts';
import type { SigningSecrets } from './signing-secrets.ts';

/** What the headers of one attempt tell. `at` and `triggeredAt` are epoch milliseconds. */
export interface Envelope {
  serviceName: string;
  secrets: SigningSecrets<SigningKey>;
  endpoint: number;
  /** Raised after a database restore, so that a sequence number that is used again looks different. */
  epoch: number;
  seq: number;
  eventId: string;
  event: string;
  apiVersion: string;
  /** 1 for the first try. */
  attempt: number;
  triggeredAt: number;
  at: number;
  /** The stored text of the event. */
  body: string;
}

/** All headers of one attempt, and the bytes that were signed. */
export async function signedRequest(
  envelope: Envelope,
): Promise<{ headers: Record<string, string>; bytes: Uint8Array }> {
  const { serviceName, secrets, eventId, at } = envelope;
  const bytes = new TextEncoder().encode(envelope.body);
  const signatures = await signatureHeaders(serviceName, secrets, { id: eventId, at, body: bytes });
  return { headers: { ...identityHeaders(envelope), ...signatures }, bytes };
}

function identityHeaders(envelope: Envelope): Record<string, string> {
  const named = {
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
  for (const [name, value] of Object.entries(named)) {
    headers[`X-${envelope.serviceName}-${name}`] = value;
  }
  return headers;
}

/** Where the store stands in every body (contract 1 of the webhooks): before the resource, which may be large. */
const merchant = /^\{"event":"[^"]*",(?:"time":"[^"]*",)?"merchant":\{"id":\d+,"alias":"([^"\\]*)"/;

/** The alias of the store in the body of an event (`merchant.alias`), or nothing in any other text. */
const aliasIn = (body: string) => merchant.exec(body)?.[1] ?? '';
