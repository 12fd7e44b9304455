/** A delivery as a queue message that holds everything needed to send it. */
export interface PlainMessage {
  endpoint: number;
  url: string;
  secret: string;
  id: string;
  body: string;
  /** Time of the change, in epoch milliseconds. */
  at: number;
}

const timeoutMs = 5_000;

/** Sends a message and returns the status; rejects without a response within 5 s. */
export async function sendPlain(
  { url, id, body, at }: PlainMessage,
  signature: string,
): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'X-Service-Triggered-At': new Date(at).toISOString(),
      'X-Service-Hmac-SHA256': signature,
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Creates the messages of an event, one per subscribed endpoint. */
export function createMessages(
  name: string,
  resource: unknown,
  endpoints: readonly { id: number; url: string }[],
  at: number,
): PlainMessage[] {
  const id = crypto.randomUUID();
  const body = JSON.stringify({ event: name, resource });
  return endpoints.map(({ id: endpoint, url }) => ({
    endpoint,
    url,
    secret: 'whsec_bench',
    id,
    body,
    at,
  }));
}

/** Selects the endpoints that are subscribed to the bound event. */
export const subscribedSql = `
  select id, url from webhook_endpoints e join webhook_subscriptions s on s.endpoint_id = e.id
  where s.store_id = 1 and s.event = ?`;
