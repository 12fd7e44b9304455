import { cost, counted } from './cost.ts';

/**
 * The yardstick: a sender as it is commonly written. The change is written, then one message per delivery is sent with
 * the body in it; the consumer signs, sends, writes a line of its log and leaves retries to the queue.
 */

interface Message {
  endpoint: number;
  url: string;
  secret: string;
  id: string;
  body: string;
  at: number;
}

const queuesOf = (env: Env) => [
  env.HINTS_FAST_0,
  env.HINTS_FAST_1,
  env.HINTS_FAST_2,
  env.HINTS_FAST_3,
];
const chunk = 100;
const timeoutMs = 5_000;

async function signature(secret: string, body: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ]);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(body)));
  return btoa(String.fromCharCode(...bytes));
}

async function deliver({ url, secret, id, body, at }: Message): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'X-Service-Triggered-At': new Date(at).toISOString(),
      'X-Service-Hmac-SHA256': await signature(secret, body),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.arrayBuffer();
  return response.status;
}

export default {
  async fetch(request, env, context) {
    if (request.method === 'GET') return Response.json(cost);
    const resource = await request.json<{ n: number }>();
    const at = Date.now();
    const db = counted(env.STORE_0);
    const [, endpoints] = await db.batch<{ id: number; url: string }>([
      db.prepare('insert into bench_changes (n) values (?)').bind(resource.n),
      db.prepare(
        `select id, url from webhook_endpoints e join webhook_subscriptions s on s.endpoint_id = e.id
         where s.store_id = 1 and s.event = 'order.paid'`,
      ),
    ]);
    const id = crypto.randomUUID();
    const body = JSON.stringify({ event: 'order.paid', resource });
    const messages = (endpoints?.results ?? []).map(({ id: endpoint, url }) => ({
      body: { endpoint, url, secret: 'whsec_bench', id, body, at } satisfies Message,
    }));
    const sending = queuesOf(env).map(async (queue, index, all) => {
      const own = messages.filter((_message, n) => (n + resource.n) % all.length === index);
      for (let start = 0; start < own.length; start += chunk) {
        await queue.sendBatch(own.slice(start, start + chunk));
      }
    });
    context.waitUntil(Promise.all(sending));
    return new Response(null, { status: 201 });
  },

  async queue(batch, env) {
    const db = counted(env.STORE_0);
    const insert = db.prepare('insert into bench_log (endpoint, event, status) values (?, ?, ?)');
    const lines = await Promise.all(
      batch.messages.map(async (message) => {
        const body = message.body as Message;
        const status = await deliver(body).catch(() => 0);
        if (status >= 200 && status < 300) message.ack();
        else message.retry({ delaySeconds: 5 });
        return insert.bind(body.endpoint, body.id, status);
      }),
    );
    await db.batch(lines);
  },
} satisfies ExportedHandler<Env>;
