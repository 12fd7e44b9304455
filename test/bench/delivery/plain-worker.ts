import { cost, counted } from './cost.ts';
import { messagesOf, send, subscribedSql, type Message } from './plain-send.ts';

/**
 * The yardstick: a sender as it is commonly written. The change is written, then one message per delivery is sent with
 * the body in it; the consumer signs, sends, writes a line of its log and leaves retries to the queue.
 */

const queuesOf = (env: Env) => [
  env.HINTS_FAST_0,
  env.HINTS_FAST_1,
  env.HINTS_FAST_2,
  env.HINTS_FAST_3,
];
const chunk = 100;

async function signature(secret: string, body: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ]);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(body)));
  return btoa(String.fromCharCode(...bytes));
}

export default {
  async fetch(request, env, context) {
    if (request.method === 'GET') return Response.json(cost);
    const event = new URL(request.url).pathname.slice(1);
    const resource = await request.json<{ n: number }>();
    const at = Date.now();
    const db = counted(env.STORE_0);
    const [, endpoints] = await db.batch<{ id: number; url: string }>([
      db.prepare('insert into bench_changes (n) values (?)').bind(resource.n),
      db.prepare(subscribedSql).bind(event),
    ]);
    const messages = messagesOf(event, resource, endpoints?.results ?? [], at).map((body) => ({
      body,
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
        const signed = await signature(body.secret, body.body);
        const status = await send(body, signed).catch(() => 0);
        if (status >= 200 && status < 300) message.ack();
        else message.retry({ delaySeconds: 5 });
        return insert.bind(body.endpoint, body.id, status);
      }),
    );
    await db.batch(lines);
  },
} satisfies ExportedHandler<Env>;
