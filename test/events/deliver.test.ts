import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seal } from '../../src/crypto/seal.ts';
import type { Ports } from '../../src/events/clock.ts';
import { consumeDeadHints, consumeHints } from '../../src/events/hints-consumer.ts';
import { newSecret, signatureHeaders } from '../../src/events/signature.ts';
import { settingsOf } from '../../src/settings.ts';

const start = Date.UTC(2026, 0, 1);
const db = env.STORE_0;

interface Wanted {
  events?: number;
  status?: number;
  concurrency?: number;
  timeoutMs?: number;
  ordered?: boolean;
  url?: string;
  body?: string;
}

/** An endpoint with open deliveries, due since `start`. Its receiver is whatever `fetch` a test injects. */
async function lane(wanted: Wanted = {}) {
  const store = Math.floor(Math.random() * 2 ** 40);
  const secret = newSecret();
  const sealed = await seal(settingsOf(env).sealingKey, secret, `webhook-secret:${store}`);
  const events = wanted.events ?? 1;
  const row = await db
    .prepare(
      `insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, status, secret_current,
         last_seq, wake_at, ordered, concurrency, timeout_ms, created_at, updated_at)
       values (?1, ?2, ?2, 'n', 'n', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?6, ?6) returning id`,
    )
    .bind(
      store,
      wanted.url ?? 'https://receiver.example/hooks?token=1',
      wanted.status ?? 0,
      sealed,
      events,
      start,
      wanted.ordered ? 1 : 0,
      wanted.concurrency ?? 2,
      wanted.timeoutMs ?? 5_000,
    )
    .first<{ id: number }>();
  const id = row?.id ?? 0;
  const body = wanted.body ?? '{"event":"order.paid","merchant":{"id":1,"alias":"loja"}}';
  const numbered = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${events})`;
  await db.batch([
    db
      .prepare(`insert into webhook_events (id, store_id, event, body, created_at)
      ${numbered} select 'evt_${store}_' || i, ${store}, 'order.paid', ?1, ${start} from n`)
      .bind(body),
    db.prepare(`insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
      ${numbered} select ${id}, i, 'evt_${store}_' || i, 0, 0, ${start} from n`),
  ]);
  return {
    id,
    secret,
    eventId: (seq: number) => `evt_${store}_${seq}`,
    async endpoint() {
      return db.prepare('select * from webhook_endpoints where id = ?').bind(id).first();
    },
    async deliveries() {
      const all = db.prepare('select * from webhook_deliveries where endpoint_id = ? order by seq');
      return (await all.bind(id).all()).results;
    },
    async attempts() {
      const all = db.prepare(
        'select * from webhook_attempts where endpoint_id = ? order by seq, number',
      );
      return (await all.bind(id).all()).results;
    },
  };
}

type Receiver = (request: Request, index: number) => Response | Promise<Response>;

/** A consumer with its own clock, receiver and queue. `batch` replaces the database's. */
function consumer(receive: Receiver, batch: D1Database['batch'] = (all) => db.batch(all)) {
  const requests: Request[] = [];
  const hints: { endpoint: number; delaySeconds: number | undefined }[] = [];
  const clock = { now: start };
  const ports: Ports = {
    now: () => clock.now,
    random: () => 0,
    fetch: async (url, init) => {
      const request = new Request(url, init);
      requests.push(request.clone());
      return receive(request, requests.length - 1);
    },
  };
  const queue = {
    sendBatch: (messages: MessageSendRequest<{ endpoint: number }>[]) => {
      hints.push(
        ...messages.map(({ body, delaySeconds }) => ({ endpoint: body.endpoint, delaySeconds })),
      );
      return Promise.resolve();
    },
  };
  const shard = { prepare: (text: string) => db.prepare(text), batch };
  const world = { ...env, HINTS: queue, STORE_0: shard } as unknown as Env;
  return {
    requests,
    hints,
    clock,
    ids: () => requests.map((request) => request.headers.get('webhook-id')),
    async handle(...bodies: unknown[]) {
      const messages = bodies.map((body, index) => ({
        id: `${index}`,
        timestamp: new Date(start),
        attempts: 1,
        body,
      }));
      const hinted = createMessageBatch('webhook-hints', messages);
      const context = createExecutionContext();
      // What the runtime reports of a batch leaves the delay out.
      let delaySeconds: number | undefined;
      const watched = {
        queue: hinted.queue,
        messages: hinted.messages,
        metadata: hinted.metadata,
        ackAll: () => hinted.ackAll(),
        retryAll: (options?: QueueRetryOptions) => {
          delaySeconds = options?.delaySeconds;
          hinted.retryAll(options);
        },
      };
      await consumeHints(watched, world, ports);
      return { ...(await getQueueResult(hinted, context)), delaySeconds };
    },
    drain(...endpoints: number[]) {
      return this.handle(...endpoints.map((endpoint) => ({ v: 1, shard: 0, endpoint })));
    },
  };
}

const ok: Receiver = () => new Response('ok');
const hangs: Receiver = () => new Promise<Response>(() => undefined);

describe('a delivery', () => {
  it('is sent once, signed, and recorded without an attempt row', async () => {
    const to = await lane();
    const run = consumer(ok);
    const result = await run.drain(to.id, to.id);
    expect(result).toMatchObject({ ackAll: true, retryBatch: { retry: false } });
    expect(run.requests).toHaveLength(1);
    const [request] = run.requests;
    const body = new Uint8Array((await request?.arrayBuffer()) ?? new ArrayBuffer(0));
    const signed = await signatureHeaders('Service', to.secret, {
      id: to.eventId(1),
      at: start,
      body,
    });
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      ...Object.fromEntries(Object.entries(signed).map(([k, v]) => [k.toLowerCase(), v])),
      'x-service-shop-domain': 'loja',
      'x-service-attempt': '1',
    });
    expect(await to.deliveries()).toMatchObject([
      { state: 1, attempts: 1, code: 200, error: null, duration_ms: 0, done_at: start },
    ]);
    expect(await to.attempts()).toEqual([]);
    expect(await to.endpoint()).toMatchObject({
      wake_at: null,
      lease_until: 0,
      fail_streak: 0,
      last_ok_at: start,
    });
    expect(run.hints).toEqual([]);
  });

  it('meets 500 three times and then 200: four attempts at the promised times, one success', async () => {
    const to = await lane();
    const run = consumer(
      (_request, index) => new Response('no', { status: index < 3 ? 500 : 200 }),
    );
    for (const wait of [5, 30, 120]) {
      await run.drain(to.id);
      expect(await to.endpoint()).toMatchObject({
        wake_at: run.clock.now + wait * 1000,
        first_fail_at: start,
        lease_until: 0,
      });
      run.clock.now += wait * 1000 - 1;
      const before = run.requests.length;
      await run.drain(to.id);
      expect(run.requests).toHaveLength(before);
      run.clock.now += 1;
    }
    await run.drain(to.id);
    expect(run.hints.map((hint) => hint.delaySeconds)).toEqual([5, 30]);
    expect(new Set(run.ids())).toEqual(new Set([to.eventId(1)]));
    expect(await to.attempts()).toMatchObject([
      { number: 1, code: 500, error: 'http_5xx', at: start, host: 'receiver.example' },
      { number: 2, code: 500, at: start + 5_000 },
      { number: 3, code: 500, at: start + 35_000 },
      { number: 4, code: 200, error: null, at: start + 155_000 },
    ]);
    expect(await to.deliveries()).toMatchObject([{ state: 1, attempts: 4, code: 200 }]);
    expect(await to.endpoint()).toMatchObject({
      wake_at: null,
      fail_streak: 0,
      first_fail_at: null,
    });
  });

  it('gives up after 15 attempts of its own', async () => {
    const to = await lane();
    const run = consumer(() => new Response(null, { status: 404 }));
    for (let attempt = 1; attempt <= 16; attempt += 1) {
      await run.drain(to.id);
      run.clock.now += 24 * 3_600_000;
    }
    expect(run.requests).toHaveLength(15);
    expect(await to.deliveries()).toMatchObject([{ state: 2, attempts: 15, error: 'http_4xx' }]);
    expect(await to.endpoint()).toMatchObject({ wake_at: null, fail_streak: 15 });
  });

  it('of a lost event is closed and never sent', async () => {
    const to = await lane();
    await db.prepare('delete from webhook_events where id = ?').bind(to.eventId(1)).run();
    const run = consumer(ok);
    await run.drain(to.id);
    expect(run.requests).toEqual([]);
    expect(await to.deliveries()).toMatchObject([{ state: 2, error: 'internal' }]);
    expect(await to.endpoint()).toMatchObject({ wake_at: null, fail_streak: 0 });
  });

  it('is refused by the guard at send time without a request', async () => {
    const to = await lane({ url: 'http://169.254.169.254/latest' });
    const run = consumer(ok);
    await run.drain(to.id);
    expect(run.requests).toEqual([]);
    expect(await to.attempts()).toMatchObject([{ code: null, error: 'blocked_url' }]);
  });
});

describe('a receiver', () => {
  it('that hangs is cut off at its timeout', async () => {
    const to = await lane({ timeoutMs: 50 });
    const run = consumer(hangs);
    await run.drain(to.id);
    expect(await to.attempts()).toMatchObject([{ code: null, error: 'timeout' }]);
    expect(await to.endpoint()).toMatchObject({ wake_at: start + 5_000 });
  });

  it('that answers 200 and then drips its body has received the event', async () => {
    const to = await lane({ timeoutMs: 50 });
    const run = consumer(() => new Response(new ReadableStream({ start: () => undefined })));
    await run.drain(to.id);
    expect(await to.deliveries()).toMatchObject([{ state: 1, code: 200 }]);
  });

  it('that nobody runs is a failed connection, over the real fetch', async () => {
    const to = await lane({ url: 'http://127.0.0.1:9/hooks' });
    const run = consumer((request) => fetch(request));
    await run.drain(to.id);
    expect(await to.attempts()).toMatchObject([
      { code: null, error: 'connect', host: '127.0.0.1:9' },
    ]);
  });

  it('that redirects is not followed, and its answer is kept in part, with the query masked', async () => {
    const to = await lane();
    const headers = { location: 'https://a.example/b?key=secret', 'set-cookie': 'a=b' };
    const run = consumer(() => new Response('é'.repeat(1025), { status: 302, headers }));
    await run.drain(to.id);
    expect(run.requests.map((request) => request.redirect)).toEqual(['manual']);
    const [attempt] = await to.attempts();
    expect(attempt).toMatchObject({ code: 302, error: 'redirect' });
    expect(JSON.parse(`${attempt?.response_headers}`)).toEqual({
      'content-type': 'text/plain;charset=UTF-8',
      location: 'https://a.example/b?…',
    });
    expect(JSON.parse(`${attempt?.response_body}`)).toEqual({
      text: 'é'.repeat(1024),
      encoding: 'utf-8',
      truncated: true,
    });
  });

  it('that answers endlessly is read to 64 KB at most, and bytes are kept as base64', async () => {
    const to = await lane();
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 8_192;
        controller.enqueue(new Uint8Array(8_192).fill(0xff));
      },
    });
    const run = consumer(() => new Response(endless, { status: 500 }));
    await run.drain(to.id);
    expect(pulled).toBeLessThan(100_000);
    const [attempt] = await to.attempts();
    expect(JSON.parse(`${attempt?.response_body}`)).toMatchObject({
      encoding: 'base64',
      truncated: true,
    });
  });
});

describe('a lane', () => {
  it('is drained to its end over several leases, each asking for the next', async () => {
    const to = await lane({ events: 130 });
    const run = consumer(ok);
    for (const rest of [true, true, false]) {
      await run.drain(to.id);
      expect(run.hints.splice(0)).toEqual(rest ? [{ endpoint: to.id, delaySeconds: 0 }] : []);
    }
    expect(new Set(run.ids()).size).toBe(130);
    expect(run.requests).toHaveLength(130);
  });

  it('that failed sends only its oldest delivery until that passes, then the rest at once', async () => {
    const to = await lane({ events: 5, concurrency: 1 });
    const run = consumer(
      (_request, index) => new Response(null, { status: index < 2 ? 503 : 204 }),
    );
    await run.drain(to.id);
    run.clock.now += 5_000;
    await run.drain(to.id);
    expect(run.ids()).toEqual([to.eventId(1), to.eventId(1)]);
    run.clock.now += 30_000;
    await run.drain(to.id);
    expect(run.ids()).toHaveLength(3);
    expect(await to.endpoint()).toMatchObject({ fail_streak: 0, wake_at: 0 });
    await run.drain(to.id);
    expect(run.ids().slice(3)).toEqual([2, 3, 4, 5].map(to.eventId));
  });

  it('counts failures side by side as one, and a success beside them does not reopen it', async () => {
    const to = await lane({ events: 10, concurrency: 3 });
    const run = consumer(
      (_request, index) => new Response(null, { status: index === 2 ? 200 : 500 }),
    );
    await run.drain(to.id);
    expect(run.requests).toHaveLength(3);
    expect(await to.endpoint()).toMatchObject({ fail_streak: 1, wake_at: start + 5_000 });
  });

  it.each([
    ['3', { concurrency: 3 }, 3],
    ['9, within the five of a consumer', { concurrency: 9 }, 5],
    ['one, in order', { concurrency: 3, ordered: true }, 1],
  ])('keeps to its concurrency: %s', async (_name, wanted, expected) => {
    const to = await lane({ ...wanted, events: 12 });
    let busy = 0;
    let most = 0;
    const run = consumer(async () => {
      most = Math.max(most, (busy += 1));
      await new Promise((resolve) => setTimeout(resolve, 2));
      busy -= 1;
      return new Response();
    });
    await run.drain(to.id);
    expect(most).toBe(expected);
    expect(run.ids()).toEqual((await to.deliveries()).map((delivery) => delivery.event_id));
  });

  it('is not held up by a lane that hangs beside it', async () => {
    const [slow, quick] = [await lane({ events: 9, timeoutMs: 1_500 }), await lane({ events: 30 })];
    const run = consumer((request, index) =>
      request.headers.get('x-service-delivery-id')?.startsWith(`${slow.id}-`)
        ? hangs(request, index)
        : new Response(),
    );
    const draining = run.drain(slow.id, quick.id);
    await expect
      .poll(() => quick.endpoint(), { timeout: 1_400 })
      .toMatchObject({ wake_at: null, lease_until: 0 });
    expect(await slow.endpoint()).toMatchObject({ lease_until: start + 60_000 });
    await draining;
    expect(await slow.endpoint()).toMatchObject({ fail_streak: 1, lease_until: 0 });
  });

  it.each([
    ['paused', 1],
    ['disabled', 2],
    ['deleted', 3],
  ])('of a %s endpoint is not drained', async (_name, status) => {
    const to = await lane({ status });
    const run = consumer(ok);
    expect(await run.drain(to.id)).toMatchObject({ ackAll: true });
    expect(run.requests).toEqual([]);
    expect(await to.endpoint()).toMatchObject({ lease_gen: 0 });
  });

  it('takes no more bodies than 4 MB, but always one', async () => {
    const to = await lane({ events: 5, body: 'x'.repeat(1_500_000) });
    const run = consumer(ok);
    await run.drain(to.id);
    expect(run.requests).toHaveLength(3);
  });

  it('starts no send after 20 s', async () => {
    const to = await lane({ events: 10, concurrency: 1 });
    const run = consumer(() => {
      run.clock.now += 6_000;
      return new Response();
    });
    await run.drain(to.id);
    expect(run.requests).toHaveLength(4);
    expect(await to.endpoint()).toMatchObject({ wake_at: 0, lease_until: 0 });
    expect(run.hints).toEqual([{ endpoint: to.id, delaySeconds: 0 }]);
  });

  it('whose secret cannot be unsealed rests without blame', async () => {
    const to = await lane();
    await db.prepare('update webhook_endpoints set store_id = 1 where id = ?').bind(to.id).run();
    const run = consumer(ok);
    await run.drain(to.id);
    expect(run.requests).toEqual([]);
    expect(await to.endpoint()).toMatchObject({ wake_at: start + 600_000, fail_streak: 0 });
  });

  it('costs few rows per delivery, however many were done before', async () => {
    const to = await lane({ events: 10_000 });
    const done = 'update webhook_deliveries set state = 1 where endpoint_id = ? and seq <= 9940';
    await db.prepare(done).bind(to.id).run();
    let read = 0;
    const run = consumer(ok, async (all) => {
      const results = await db.batch<never>(all);
      for (const { meta } of results) read += meta.rows_read;
      return results;
    });
    await run.drain(to.id);
    expect(run.requests).toHaveLength(60);
    expect(read / 60).toBeLessThan(10);
  });
});

describe('crashes', () => {
  it('two consumers of one lane send each event once', async () => {
    const to = await lane({ events: 20 });
    const [one, other] = [consumer(ok), consumer(ok)];
    await Promise.all([one.drain(to.id), other.drain(to.id), one.drain(to.id)]);
    expect(one.requests.length + other.requests.length).toBe(20);
  });

  it('after the send and before the flush: sent again after the lease, with the same id', async () => {
    const to = await lane();
    let calls = 0;
    const run = consumer(ok, (all) => {
      calls += 1;
      return calls === 1 ? db.batch(all) : Promise.reject(new Error('Network connection lost.'));
    });
    expect(await run.drain(to.id)).toMatchObject({ retryBatch: { retry: true }, delaySeconds: 60 });
    expect(await to.deliveries()).toMatchObject([{ state: 0, attempts: 0 }]);
    const next = consumer(ok);
    next.clock.now = start + 59_999;
    await next.drain(to.id);
    expect(next.requests).toEqual([]);
    next.clock.now = start + 60_000;
    await next.drain(to.id);
    expect(next.ids()).toEqual(run.ids());
    expect(await to.deliveries()).toMatchObject([{ state: 1, attempts: 1 }]);
  });

  it('an unknown outcome of the flush: repeating it changes nothing', async () => {
    const [bad, good] = [await lane(), await lane({ events: 2 })];
    let calls = 0;
    const run = consumer(
      (request) =>
        new Response(null, {
          status: request.headers.get('webhook-id') === bad.eventId(1) ? 500 : 200,
        }),
      async (all) => {
        const results = await db.batch<never>(all);
        calls += 1;
        if (calls === 2) throw new Error('Network connection lost.');
        return results;
      },
    );
    expect(await run.drain(bad.id, good.id)).toMatchObject({ ackAll: true });
    expect(calls).toBe(3);
    expect(await bad.deliveries()).toMatchObject([{ state: 0, attempts: 1 }]);
    expect(await bad.attempts()).toHaveLength(1);
    expect(await bad.endpoint()).toMatchObject({ fail_streak: 1, wake_at: start + 5_000 });
    expect(await good.endpoint()).toMatchObject({ fail_streak: 0, wake_at: null });
    expect(run.hints).toEqual([{ endpoint: bad.id, delaySeconds: 5 }]);
  });

  it('a consumer past its lease: its success counts, its release and its failure do not', async () => {
    const [first, second] = [await lane(), await lane()];
    const answers: ((response: Response) => void)[] = [];
    const zombie = consumer(() => new Promise((resolve) => answers.push(resolve)));
    const old = zombie.drain(first.id, second.id);
    await expect.poll(() => answers.length).toBe(2);
    const heir = consumer(() => new Response(null, { status: 500 }));
    heir.clock.now = start + 60_000;
    await heir.drain(first.id);
    await heir.drain(second.id);
    heir.clock.now = start + 65_000;
    await heir.drain(second.id);
    const isFirst = zombie.ids()[0] === first.eventId(1);
    answers[isFirst ? 0 : 1]?.(new Response());
    answers[isFirst ? 1 : 0]?.(new Response(null, { status: 502 }));
    await old;
    expect(await first.deliveries()).toMatchObject([{ state: 1, attempts: 1 }]);
    expect(await first.endpoint()).toMatchObject({
      lease_gen: 2,
      fail_streak: 1,
      wake_at: start + 65_000,
    });
    expect(await second.deliveries()).toMatchObject([{ state: 0, attempts: 2, code: 500 }]);
    expect(await second.endpoint()).toMatchObject({ lease_gen: 3, fail_streak: 2 });
    expect(zombie.hints).toEqual([]);
  });

  it('a database that does not answer: the batch comes back later, nothing was sent', async () => {
    const to = await lane();
    const run = consumer(ok, () => Promise.reject(new Error('D1 DB is overloaded.')));
    expect(await run.drain(to.id)).toMatchObject({
      ackAll: false,
      retryBatch: { retry: true },
      delaySeconds: 60,
    });
    expect(run.requests).toEqual([]);
  });

  it('malformed, strange and dead hints are acknowledged and hold up nobody', async () => {
    const to = await lane();
    const run = consumer(ok);
    const good = { v: 1, shard: 0, endpoint: to.id };
    const bad = [null, 'x', { ...good, v: 2 }, { ...good, shard: 99 }, { ...good, endpoint: '1' }];
    expect(await run.handle(...bad, good, { ...good, endpoint: 2 ** 40 })).toMatchObject({
      ackAll: true,
    });
    expect(run.requests).toHaveLength(1);
    const dead = createMessageBatch('webhook-dead-hints', [
      { id: '1', timestamp: new Date(start), attempts: 6, body: good },
    ]);
    const context = createExecutionContext();
    consumeDeadHints(dead);
    expect(await getQueueResult(dead, context)).toMatchObject({ ackAll: true });
  });
});
