import { createMessages, sendPlain, subscribedSql, type PlainMessage } from './plain-send.ts';
import { rowCounts, countingRows } from './row-counter.ts';

/**
 * The baseline: a typical sender on Workers. A request writes the change, then sends one queue
 * message with the body per delivery. The consumer signs, sends and logs; the queue retries.
 */

const queuesOf = (env: Env) => [
  env.WAKEUP_FAST_0,
  env.WAKEUP_FAST_1,
  env.WAKEUP_FAST_2,
  env.WAKEUP_FAST_3,
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
    if (request.method === 'GET') return Response.json(rowCounts);
    const event = new URL(request.url).pathname.slice(1);
    const resource = await request.json<{ n: number }>();
    const at = Date.now();
    const db = countingRows(env.STORE_0);
    const [, endpoints] = await db.batch<{ id: number; url: string }>([
      db.prepare('insert into bench_changes (n) values (?)').bind(resource.n),
      db.prepare(subscribedSql).bind(event),
    ]);
    const messages = createMessages(event, resource, endpoints?.results ?? [], at).map((body) => ({
      body,
    }));
    const sends = queuesOf(env).map(async (queue, index, all) => {
      const own = messages.filter((_message, n) => (n + resource.n) % all.length === index);
      for (let start = 0; start < own.length; start += chunk) {
        await queue.sendBatch(own.slice(start, start + chunk));
      }
    });
    context.waitUntil(Promise.all(sends));
    return new Response(null, { status: 201 });
  },

  async queue(batch, env) {
    const db = countingRows(env.STORE_0);
    const insert = db.prepare('insert into bench_log (endpoint, event, status) values (?, ?, ?)');
    const logRows = await Promise.all(
      batch.messages.map(async (message) => {
        const body = message.body as PlainMessage;
        const signed = await signature(body.secret, body.body);
        const status = await sendPlain(body, signed).catch(() => 0);
        if (status >= 200 && status < 300) message.ack();
        else message.retry({ delaySeconds: 5 });
        return insert.bind(body.endpoint, body.id, status);
      }),
    );
    await db.batch(logRows);
  },
} satisfies ExportedHandler<Env>;
