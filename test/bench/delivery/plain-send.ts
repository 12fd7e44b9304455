/** A delivery as a message of a queue: all that is needed to send it. */
export interface Message {
  endpoint: number;
  url: string;
  secret: string;
  id: string;
  body: string;
  /** When the change was made, in epoch milliseconds. */
  at: number;
}

const timeoutMs = 5_000;

/** Sends a message as it is commonly done. Answers with the status; rejects without an answer within 5 s. */
export async function send({ url, id, body, at }: Message, signature: string): Promise<number> {
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

/** The messages of one event, one for each subscribed endpoint. */
export function messagesOf(
  name: string,
  resource: unknown,
  endpoints: readonly { id: number; url: string }[],
  at: number,
): Message[] {
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

/** The endpoints of the store that are subscribed to the event that is bound. */
export const subscribedSql = `
  select id, url from webhook_endpoints e join webhook_subscriptions s on s.endpoint_id = e.id
  where s.store_id = 1 and s.event = ?`;
