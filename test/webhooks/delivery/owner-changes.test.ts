import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { closeInactiveDeliveries } from '../../../src/webhooks/sweep/inactive.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createConsumer, db, respondOk } from '../../support/webhooks/consumer.ts';
import {
  endpointOf,
  fillDeliveryLog,
  deliveryLogOf,
  noticesOf,
  createTestWebhook,
} from '../../support/webhooks/delivery-log.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';
import '../../support/fixtures/first-shard.ts';

const setColumns = (id: number, columns: string) =>
  env.STORE_0.prepare(`update webhook_endpoints set ${columns} where id = ?`).bind(id).run();

const states = async (id: number) => (await deliveryLogOf(id)).map(({ state }) => state);

/** Creates a webhook with `count` deliveries that are due. */
async function webhookWithDeliveries(count: number) {
  const shop = await createTestStore();
  const id = await createTestWebhook(shop);
  await fillDeliveryLog(shop, id, { count, state: DeliveryState.open });
  await setColumns(id, `next_attempt_at = ${Date.now() - 1000}`);
  return { shop, id };
}

function createConsumerNow(receive: Parameters<typeof createConsumer>[0]) {
  const run = createConsumer(receive);
  run.clock.now = Date.now();
  return run;
}

describe('a change by the owner during a run', () => {
  it.each([
    ['paused', 'PUT', { active: false }, DeliveryState.held],
    ['deleted', 'DELETE', undefined, DeliveryState.cancelled],
  ] as const)(
    'fault 45: starts at most six more sends after the webhook was %s, and closes the other deliveries',
    async (_name, method, body, state) => {
      const { shop, id } = await webhookWithDeliveries(60);
      let startedBefore = 0;
      const run = createConsumerNow(async (_request, index) => {
        if (index === 14) {
          await shop.api(`${method} /webhooks/${id}`, body);
          startedBefore = run.requests.length;
        }
        return new Response();
      });
      await run.deliver(id);
      expect(startedBefore).toBeGreaterThanOrEqual(15);
      expect(run.requests.length - startedBefore).toBeLessThanOrEqual(6);
      const count = run.requests.length;
      expect((await states(id)).slice(count)).toEqual(Array(60 - count).fill(state));
      await run.deliver(id);
      expect(run.requests).toHaveLength(count);
    },
  );

  it('fault 45: ends the run when the active check fails, and the next run goes on', async () => {
    const { id } = await webhookWithDeliveries(60);
    let calls = 0;
    const run = createConsumer(respondOk, async (all) => {
      calls += 1;
      if (calls === 2) throw new Error('Network connection lost.');
      return db.batch<never>(all);
    });
    run.clock.now = Date.now();
    await run.deliver(id);
    expect(run.requests.length).toBeLessThanOrEqual(6);
    expect(await endpointOf(id)).toMatchObject({ lease_until: 0, status: EndpointStatus.active });
    await run.deliver(id);
    expect(run.requests).toHaveLength(60);
    expect(await states(id)).toEqual(Array(60).fill(DeliveryState.delivered));
  });

  it('fault 45: starts no more sends after a 410, even for events published meanwhile, and holds the others', async () => {
    const { shop, id } = await webhookWithDeliveries(60);
    let startedBefore = 0;
    const run = createConsumerNow(async (_request, index) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (index !== 20) return new Response();
      await fillDeliveryLog(shop, id, { count: 1, state: DeliveryState.open });
      startedBefore = run.requests.length;
      return new Response(null, { status: 410 });
    });
    using warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await run.deliver(id);
    const line = { level: 'warn', event: 'webhook_notice', shard: 0, endpoint: id, kind: 'gone' };
    expect(warned.mock.calls).toEqual([[JSON.stringify(line)]]);
    // Before the 410 is processed, one or two more sends may have started.
    expect(run.requests.length - startedBefore).toBeLessThanOrEqual(4);
    expect(await endpointOf(id)).toMatchObject({ status: EndpointStatus.autoDisabled });
    await closeInactiveDeliveries(sweepContextAt(run.clock.now));
    const after = await states(id);
    expect(after.filter((state) => state === DeliveryState.held)).toHaveLength(
      61 - (run.requests.length - 1),
    );
    expect(after).not.toContain(DeliveryState.open);
    await run.deliver(id);
    expect(run.requests.length - startedBefore).toBeLessThanOrEqual(4);
  });

  it('fault 32: keeps the endpoint active when its owner changed it after the request that got a 410', async () => {
    const { id } = await webhookWithDeliveries(2);
    const run = createConsumerNow(async () => {
      run.clock.now += 100;
      await setColumns(id, `updated_at = ${run.clock.now}`);
      return new Response(null, { status: 410 });
    });
    using warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await run.deliver(id);
    expect(warned).not.toHaveBeenCalled();
    expect(await endpointOf(id)).toMatchObject({ status: EndpointStatus.active, lease_until: 0 });
    expect(await states(id)).toEqual([DeliveryState.open, DeliveryState.open]);
    expect(await noticesOf(id)).toEqual([]);
    const next = createConsumerNow(respondOk);
    // The webhook has accepted nothing yet, so a step of the retry schedule passes.
    next.clock.now = run.clock.now + 5_000;
    await next.deliver(id);
    expect(await states(id)).toEqual([DeliveryState.delivered, DeliveryState.delivered]);
  });

  it('fault 46: cancels the open deliveries of a deleted webhook and sends nothing', async () => {
    const { shop, id } = await webhookWithDeliveries(3);
    await shop.api(`DELETE /webhooks/${id}`);
    expect(await states(id)).toEqual(Array(3).fill(DeliveryState.cancelled));
    const run = createConsumerNow(respondOk);
    run.clock.now += 30_000;
    await run.deliver(id);
    expect(run.requests).toEqual([]);
  });

  it('fault 47: sends the next attempt to the new URL', async () => {
    const { shop, id } = await webhookWithDeliveries(1);
    const run = createConsumerNow(
      (request) => new Response(null, { status: request.url.endsWith('/new') ? 200 : 500 }),
    );
    await run.deliver(id);
    await shop.api(`PUT /webhooks/${id}`, { url: 'http://127.0.0.1:9/new' });
    run.clock.now = Number((await endpointOf(id))?.next_attempt_at);
    await run.deliver(id);
    expect(run.requests.map(({ url }) => new URL(url).pathname)).toEqual(['/unreachable', '/new']);
    expect(await states(id)).toEqual([DeliveryState.delivered]);
  });

  it('fault 48: applies new subscriptions to later events only', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop, ['product.created']);
    const { body: brand } = await shop.api('POST /catalog/brands', { name: 'Marca', active: true });
    const product = { name: 'p', simple: true, active: true, brand_id: brand.data.id };
    await shop.api('POST /catalog/products', product);
    await shop.api(`PUT /webhooks/${id}`, { events: ['product.deleted'] });
    await shop.api('POST /catalog/products', product);
    expect(await states(id)).toEqual([DeliveryState.open]);
    const run = createConsumerNow(respondOk);
    await run.deliver(id);
    expect(run.requests[0]?.headers.get('x-service-topic')).toBe('product.created');
    expect(await states(id)).toEqual([DeliveryState.delivered]);
  });
});
