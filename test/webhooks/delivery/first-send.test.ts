import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { closeInactiveDeliveries } from '../../../src/webhooks/sweep/inactive.ts';
import { requestWithBody } from '../../support/api/client.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createConsumer, db, respondOk } from '../../support/webhooks/consumer.ts';
import { subscribeProven } from '../../support/webhooks/recorded-events.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';
import { wakeupBindings } from '../../support/webhooks/wakeup-queues.ts';
import '../../support/fixtures/first-shard.ts';

const app = createApp();

/**
 * A store with a proven webhook, and changes of it whose work after the response can be kept back.
 */
async function createShop() {
  const made = await createTestStore();
  const brand = await made.api('POST /catalog/brands', { name: 'Marca', active: true });
  const endpoint = await subscribeProven(made, ['product.created']);
  const body = { name: 'p', simple: true, active: true, brand_id: brand.body.data.id };
  const wakeups: { endpoint: number; delaySeconds: number | undefined }[] = [];
  const queue = () => ({
    sendBatch: async (messages: MessageSendRequest<{ endpoint: number }>[]) => {
      for (const { body: message, delaySeconds } of messages)
        wakeups.push({ endpoint: message.endpoint, delaySeconds });
    },
  });
  /** Creates a product. Returns the end of what follows its response. */
  const change = async () => {
    const context = createExecutionContext();
    const headers = { ...made.headers, 'Content-Type': 'application/json' };
    const url = `https://api.test/v2/${made.alias}/catalog/products`;
    const response = await app.fetch(
      requestWithBody(url, 'POST', headers, JSON.stringify(body)),
      { ...env, ...wakeupBindings(queue) },
      context,
    );
    expect(response.status).toBe(201);
    return { ended: () => waitOnExecutionContext(context) };
  };
  const set = (columns: string) =>
    db.prepare(`update webhook_endpoints set ${columns} where id = ?`).bind(endpoint).run();
  const row = () =>
    db
      .prepare('select * from webhook_endpoints where id = ?')
      .bind(endpoint)
      .first<Record<string, number | null>>();
  const deliveries = async () => {
    const found = db.prepare(
      'select seq, state, attempts, due_at, response_status from webhook_deliveries where endpoint_id = ? order by seq',
    );
    const { results } = await found
      .bind(endpoint)
      .all<{ seq: number; state: number; attempts: number; due_at: number }>();
    return results;
  };
  return { made, endpoint, wakeups, change, set, row, deliveries };
}

describe('the first send of a delivery', () => {
  it('is by the request that made the event: no message, no lease, no row of the endpoint more', async () => {
    const shop = await createShop();
    using network = mockNetwork(() => new Response('ok'));
    for (let times = 0; times < 2; times += 1) await (await shop.change()).ended();
    expect(
      network.requests.map(({ headers }) => headers.get('webhook-signature') !== null),
    ).toEqual([true, true]);
    expect(await shop.deliveries()).toMatchObject([
      { seq: 1, state: 1, attempts: 1, response_status: 200, due_at: 0 },
      { seq: 2, state: 1, attempts: 1, response_status: 200, due_at: 0 },
    ]);
    expect(shop.wakeups).toEqual([]);
    expect(await shop.row()).toMatchObject({ lease_generation: 0, last_seq: 2 });
    // The second number took over the success of the first, and the webhook shows that of the
    // second.
    const shown = await shop.made.api(`GET /webhooks/${shop.endpoint}/failures`);
    expect(shown.body.data).toMatchObject({
      next_attempt_at: null,
      last_success_at: { date: expect.any(String) },
    });
    expect((await shop.row())?.last_success_at).toBeGreaterThan(Date.now() - 60_000);
  });

  it('delays neither the response nor a further event, however slow the receiver is', async () => {
    const shop = await createShop();
    const answer = Promise.withResolvers<Response>();
    using network = mockNetwork(() => answer.promise);
    const first = await shop.change();
    const second = await shop.change();
    expect(await shop.deliveries()).toMatchObject([{ state: 0 }, { state: 0, due_at: 0 }]);
    await second.ended();
    // One request at a time: the second event is left to the queue, whose run leaves the first
    // alone.
    expect(shop.wakeups).toEqual([{ endpoint: shop.endpoint, delaySeconds: 0 }]);
    const run = createConsumer(respondOk);
    run.clock.now = Date.now() + 1;
    await run.deliver(shop.endpoint);
    expect(run.requests).toHaveLength(1);
    answer.resolve(new Response('ok'));
    await first.ended();
    expect(network.requests).toHaveLength(1);
    expect(await shop.deliveries()).toMatchObject([
      { state: 1, attempts: 1 },
      { state: 1, attempts: 1 },
    ]);
  });

  it('that arrives while the webhook is paused is delivered, so a resume does not repeat it', async () => {
    const shop = await createShop();
    const answer = Promise.withResolvers<Response>();
    using network = mockNetwork(() => answer.promise);
    const { ended } = await shop.change();
    const paused = await shop.made.api(`PUT /webhooks/${shop.endpoint}`, { active: false });
    expect(paused.status).toBe(200);
    expect(await shop.deliveries()).toMatchObject([{ state: 3 }]);
    answer.resolve(new Response('ok'));
    await ended();
    expect(network.requests).toHaveLength(1);
    expect(await shop.deliveries()).toMatchObject([{ state: 1, attempts: 1 }]);
  });

  it('fault 4: is left behind by a request that dies, and sent once after the claim', async () => {
    const shop = await createShop();
    using network = mockNetwork(() => new Promise(() => undefined));
    await shop.change();
    const [claimed] = await shop.deliveries();
    expect(claimed?.due_at).toBeGreaterThan(Date.now());
    const { next_attempt_at: next } = (await shop.row()) ?? {};
    expect(next).toBe(claimed?.due_at);
    const run = createConsumer(respondOk);
    run.clock.now = Date.now() + 1;
    await run.deliver(shop.endpoint);
    expect(run.requests).toHaveLength(0);
    run.clock.now = (next ?? 0) + 1;
    await run.deliver(shop.endpoint);
    await run.deliver(shop.endpoint);
    expect(run.requests).toHaveLength(1);
    expect(await shop.deliveries()).toMatchObject([{ state: 1, attempts: 1 }]);
    expect(network.requests).toHaveLength(1);
  });

  it('that fails is logged, and the endpoint backs off as after a run', async () => {
    const shop = await createShop();
    using _network = mockNetwork(() => new Response('no', { status: 500 }));
    await (await shop.change()).ended();
    expect(await shop.deliveries()).toMatchObject([{ state: 0, attempts: 1, due_at: 0 }]);
    expect(await shop.row()).toMatchObject({ consecutive_failures: 1, failure_count: 1 });
    expect(shop.wakeups).toMatchObject([{ endpoint: shop.endpoint }]);
    expect(shop.wakeups[0]?.delaySeconds).toBeGreaterThanOrEqual(5);
    const attempts = db.prepare('select number, error from webhook_attempts where endpoint_id = ?');
    expect((await attempts.bind(shop.endpoint).all()).results).toMatchObject([{ number: 1 }]);
  });

  it('is not held by the sweep while its webhook is paused, so that a resume sends nothing twice', async () => {
    const shop = await createShop();
    const answer = Promise.withResolvers<Response>();
    using _network = mockNetwork(() => answer.promise);
    const { ended } = await shop.change();
    await shop.set('status = 1');
    await closeInactiveDeliveries(sweepContextAt(Date.now()));
    expect(await shop.deliveries()).toMatchObject([{ state: 0 }]);
    answer.resolve(new Response('ok'));
    await ended();
    expect(await shop.deliveries()).toMatchObject([{ state: 1 }]);
  });

  it.each([
    ['no receiver has accepted anything', 'proven_at = null'],
    ['the endpoint keeps an order', 'ordered = 1'],
    ['the endpoint fails', 'consecutive_failures = 1, next_attempt_at = 1'],
    ['the endpoint has failed and not succeeded since', 'first_failure_at = 1'],
    ['the receiver is not quick', 'latency_ms = 1001'],
    ['a worker has its lease', `lease_until = ${2 ** 50}`],
  ])('is left to the queue when %s', async (_name, columns) => {
    const shop = await createShop();
    await shop.set(columns);
    using network = mockNetwork(() => new Response('ok'));
    await (await shop.change()).ended();
    expect(network.requests).toEqual([]);
    expect(await shop.deliveries()).toMatchObject([{ state: 0, attempts: 0, due_at: 0 }]);
  });
});
