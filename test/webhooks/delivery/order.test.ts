import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import {
  continueReleases,
  releaseBatchSize,
} from '../../../src/webhooks/endpoints/release-deliveries.ts';
import { requestWithBody } from '../../support/api/client.ts';
import { mockNetwork } from '../../support/fakes/network.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createConsumer, db, insertEndpoint, respondOk } from '../../support/webhooks/consumer.ts';
import {
  auditOfEndpoint,
  createTestWebhook,
  deliveryLogOf,
  endpointOf,
  fillDeliveryLog,
} from '../../support/webhooks/delivery-log.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';
import '../../support/fixtures/first-shard.ts';

const { delivered, gaveUp, held, open } = DeliveryState;

const seqOf = (request: Request) =>
  Number(request.headers.get('x-service-delivery-id')?.split('-')[1]);

const statesOf = async (id: number) => (await deliveryLogOf(id)).map(({ state }) => state);

/** Creates a store and a webhook whose URL is proven, with deliveries in a state. */
async function createShop(count: number, state: number) {
  const shop = await createTestStore();
  const id = await createTestWebhook(shop);
  if (count > 0) await fillDeliveryLog(shop, id, { count, state });
  const set = (columns: string) =>
    db.prepare(`update webhook_endpoints set ${columns} where id = ?`).bind(id).run();
  await set(`proven_at = 1, next_attempt_at = ${Date.now() - 1_000}`);
  const keepOrder = (ordered = true) => shop.api(`PUT /webhooks/${id}`, { ordered });
  const consumer = (receive: Parameters<typeof createConsumer>[0]) => {
    const run = createConsumer(receive);
    run.clock.now = Date.now();
    return run;
  };
  const brand = await shop.api('POST /catalog/brands', { name: 'Marca', active: true });
  const product = { name: 'p', simple: true, active: true, brand_id: brand.body.data.id };
  return { shop, id, set, keepOrder, consumer, product };
}

describe('a webhook that gets an order', () => {
  it('fault 80: sends at once what waited for a time of its own, before all that is newer', async () => {
    const { shop, id, keepOrder, consumer } = await createShop(5, open);
    const first = consumer(
      (request) => new Response(null, { status: seqOf(request) === 2 ? 422 : 200 }),
    );
    await first.deliver(id);
    expect(await statesOf(id)).toEqual([delivered, open, delivered, delivered, delivered]);
    expect((await deliveryLogOf(id))[1]?.['due_at']).toBeGreaterThan(Date.now());
    await fillDeliveryLog(shop, id, { count: 1, state: open });
    const { status, body } = await keepOrder();
    expect([status, body.data.ordered]).toEqual([200, true]);
    expect((await deliveryLogOf(id))[1]).toMatchObject({ due_at: 0, counted_failures: 1 });
    const next = consumer(respondOk);
    next.clock.now += 1;
    await next.deliver(id);
    expect(next.requests.map(seqOf)).toEqual([2, 6]);
    expect((await auditOfEndpoint(id)).at(-1)).toMatchObject({
      action: 'edited',
      changes: JSON.stringify({ ordered: [false, true] }),
    });
    expect((await keepOrder(false)).body.data.ordered).toBe(false);
  });

  it('fault 80: ends the run that sends side by side after at most six more sends, then goes on in order', async () => {
    const { id, keepOrder, consumer } = await createShop(60, open);
    let before = 0;
    const run = consumer(async (request, index) => {
      if (index === 14) {
        await keepOrder();
        before = run.requests.length;
      }
      // Rejected by a worker that knows of no order.
      return new Response(null, { status: seqOf(request) === 15 ? 409 : 200 });
    });
    await run.deliver(id);
    const sent = run.requests.length;
    expect(sent - before).toBeLessThanOrEqual(6);
    expect(sent).toBeLessThan(40);
    expect((await deliveryLogOf(id))[14]).toMatchObject({ state: open, due_at: 0 });
    const next = consumer(respondOk);
    next.clock.now += 1;
    await next.deliver(id);
    const rest = next.requests.map(seqOf);
    expect(rest[0]).toBe(15);
    expect(rest).toEqual(rest.toSorted((a, b) => a - b));
    expect(await statesOf(id)).toEqual(Array(60).fill(delivered));
  });

  it('fault 80: gives the oldest delivery no time of its own when the newest is accepted instead', async () => {
    const { id, set, keepOrder, consumer } = await createShop(3, open);
    await db
      .prepare('update webhook_deliveries set attempts = 2 where endpoint_id = ? and seq = 1')
      .bind(id)
      .run();
    await set('consecutive_failures = 2, first_failure_at = 1');
    const run = consumer(async () => {
      if (run.requests.length === 1) await keepOrder();
      return new Response();
    });
    await run.deliver(id);
    expect(run.requests.map(seqOf)).toEqual([3]);
    expect(await deliveryLogOf(id)).toMatchObject([{ due_at: 0 }, { due_at: 0 }, {}]);
    run.clock.now += 1_000;
    await run.deliver(id);
    run.clock.now += 1_000;
    await run.deliver(id);
    expect(run.requests.map(seqOf)).toEqual([3, 1, 2]);
  });

  it('fault 80: waits for the request that is sending an event itself', async () => {
    const { shop, id, keepOrder, consumer, product } = await createShop(0, open);
    const answer = Promise.withResolvers<Response>();
    using network = mockNetwork(() => answer.promise);
    const context = createExecutionContext();
    const headers = { ...shop.headers, 'Content-Type': 'application/json' };
    const url = `https://api.test/v2/${shop.alias}/catalog/products`;
    await createApp().fetch(
      requestWithBody(url, 'POST', headers, JSON.stringify(product)),
      env,
      context,
    );
    const [claimed] = await deliveryLogOf(id);
    await keepOrder();
    await shop.api('POST /catalog/products', product);
    expect(await deliveryLogOf(id)).toMatchObject([{ due_at: 0 }, { due_at: 0 }]);
    const run = consumer(respondOk);
    run.clock.now += 1_000;
    await run.deliver(id);
    expect(run.requests).toEqual([]);
    expect(await endpointOf(id)).toMatchObject({ lease_until: claimed?.['due_at'] });
    answer.resolve(new Response(null, { status: 500 }));
    await waitOnExecutionContext(context);
    expect(network.requests).toHaveLength(1);
    const { next_attempt_at: next, lease_until: lease } = (await endpointOf(id)) ?? {};
    expect(lease).toBe(0);
    run.clock.now = Number(next);
    await run.deliver(id);
    run.clock.now += 1;
    await run.deliver(id);
    expect(run.requests.map(seqOf)).toEqual([1, 2]);
  });
});

describe('an ordered webhook', () => {
  it('fault 81: holds its new events and replays while older ones are released', async () => {
    const { shop, id, consumer, product, keepOrder } = await createShop(releaseBatchSize + 2, held);
    await keepOrder();
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    await shop.api(`POST /webhooks/${id}/resume`, { resume: 'all' });
    await shop.api('POST /catalog/products', product);
    await shop.api(`POST /webhooks/${id}/replays`, { seq: 1 });
    expect((await statesOf(id)).slice(-3)).toEqual([held, held, held]);
    const run = consumer(respondOk);
    const sendAll = async () => {
      run.clock.now += 1_000;
      for (let times = 0; times < 12; times += 1) await run.deliver(id);
    };
    await sendAll();
    expect(run.requests).toHaveLength(releaseBatchSize);
    const more = await shop.api(`POST /webhooks/${id}/replays`, { seq: 1 });
    expect(more.status).toBe(201);
    await continueReleases(sweepContextAt(run.clock.now));
    await sendAll();
    const count = releaseBatchSize + 4;
    expect(run.requests.map(seqOf)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    expect(await endpointOf(id)).toMatchObject({ resume_from_seq: null, next_attempt_at: null });
    await shop.api('POST /catalog/products', product);
    expect((await statesOf(id)).at(-1)).toBe(open);
  });

  it('fault 80: holds what is newer than a held delivery when it gets its order during a release', async () => {
    const { shop, id, product, keepOrder } = await createShop(releaseBatchSize + 1, held);
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    await shop.api(`POST /webhooks/${id}/resume`, { resume: 'all' });
    await shop.api('POST /catalog/products', product);
    expect((await statesOf(id)).slice(-3)).toEqual([open, held, open]);
    await keepOrder();
    expect((await statesOf(id)).slice(-3)).toEqual([open, held, held]);
  });

  it('fault 79: sends nothing behind a delivery that it gave up before that is stored', async () => {
    const target = await insertEndpoint({ events: 2, ordered: true });
    await db
      .prepare(
        'update webhook_deliveries set counted_failures = 2, attempts = 2 where endpoint_id = ? and seq = 1',
      )
      .bind(target.id)
      .run();
    let calls = 0;
    const lost = createConsumer(
      (request) => new Response(null, { status: seqOf(request) === 1 ? 422 : 200 }),
      async (all) => {
        calls += 1;
        if (calls > 1) throw new Error('Network connection lost.');
        return db.batch<never>(all);
      },
    );
    await lost.deliver(target.id);
    expect(lost.requests.map(seqOf)).toEqual([1]);
    const next = createConsumer(
      (request) => new Response(null, { status: seqOf(request) === 1 ? 422 : 200 }),
    );
    next.clock.now += 120_000;
    await next.deliver(target.id);
    expect(next.requests.map(seqOf)).toEqual([1, 2]);
    expect((await target.deliveries()).map(({ state }) => state)).toEqual([gaveUp, delivered]);
  });
});
