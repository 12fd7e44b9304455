import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { DeliveryState, EndpointStatus } from '../../src/db/schema/webhooks.ts';
import { settleInactive } from '../../src/events/sweep-inactive.ts';
import { consumer, db, ok } from '../support/lanes.ts';
import { endpointOf, fillLog, logOf, noticesOf, webhookOf } from '../support/log.ts';
import { shiftAt } from '../support/shift.ts';
import { store } from '../support/store.ts';

const set = (id: number, columns: string) =>
  env.STORE_0.prepare(`update webhook_endpoints set ${columns} where id = ?`).bind(id).run();

const states = async (id: number) => (await logOf(id)).map(({ state }) => state);

/** A webhook with that many deliveries to send now. */
async function waiting(count: number) {
  const shop = await store();
  const id = await webhookOf(shop);
  await fillLog(shop, id, { count, state: 0 });
  await set(id, `wake_at = ${Date.now() - 1000}`);
  return { shop, id };
}

function consumerNow(receive: Parameters<typeof consumer>[0]) {
  const run = consumer(receive);
  run.clock.now = Date.now();
  return run;
}

describe('while a lane is drained, or waits', () => {
  it.each([
    ['paused', 'PUT', { active: false }, DeliveryState.held],
    ['deleted', 'DELETE', undefined, DeliveryState.cancelled],
  ] as const)(
    'fault 45: its webhook is %s: at most six more sends begin, the rest is ended',
    async (_name, method, body, state) => {
      const { shop, id } = await waiting(60);
      let begunBefore = 0;
      const run = consumerNow(async (_request, index) => {
        if (index === 14) {
          await shop.api(`${method} /webhooks/${id}`, body);
          begunBefore = run.requests.length;
        }
        return new Response();
      });
      await run.drain(id);
      expect(begunBefore).toBeGreaterThanOrEqual(15);
      expect(run.requests.length - begunBefore).toBeLessThanOrEqual(6);
      const count = run.requests.length;
      expect((await states(id)).slice(count)).toEqual(Array(60 - count).fill(state));
      await run.drain(id);
      expect(run.requests).toHaveLength(count);
    },
  );

  it('fault 45: a look that fails ends the drain as well, and the next one goes on', async () => {
    const { id } = await waiting(60);
    let calls = 0;
    const run = consumer(ok, async (all) => {
      calls += 1;
      if (calls === 2) throw new Error('Network connection lost.');
      return db.batch<never>(all);
    });
    run.clock.now = Date.now();
    await run.drain(id);
    expect(run.requests.length).toBeLessThanOrEqual(6);
    expect(await endpointOf(id)).toMatchObject({ lease_until: 0, status: EndpointStatus.active });
    await run.drain(id);
    expect(run.requests).toHaveLength(60);
    expect(await states(id)).toEqual(Array(60).fill(DeliveryState.delivered));
  });

  it('fault 45: its receiver is gone: nothing more is begun, whatever was published meanwhile; the rest is held', async () => {
    const { shop, id } = await waiting(60);
    let begunBefore = 0;
    const run = consumerNow(async (_request, index) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (index !== 20) return new Response();
      await fillLog(shop, id, { count: 1, state: 0 });
      begunBefore = run.requests.length;
      return new Response(null, { status: 410 });
    });
    using warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await run.drain(id);
    const told = { level: 'warn', event: 'webhook_notice', shard: 0, endpoint: id, kind: 'gone' };
    expect(warned.mock.calls).toEqual([[JSON.stringify(told)]]);
    // Between the answer and its reading another slot or two may have begun.
    expect(run.requests.length - begunBefore).toBeLessThanOrEqual(4);
    expect(await endpointOf(id)).toMatchObject({ status: EndpointStatus.autoDisabled });
    await settleInactive(shiftAt(run.clock.now));
    const after = await states(id);
    expect(after.filter((state) => state === DeliveryState.held)).toHaveLength(
      61 - (run.requests.length - 1),
    );
    expect(after).not.toContain(DeliveryState.open);
    await run.drain(id);
    expect(run.requests.length - begunBefore).toBeLessThanOrEqual(4);
  });

  it('fault 32: its receiver was gone before its owner changed the URL, or let it go on: it stays active', async () => {
    const { id } = await waiting(2);
    const run = consumerNow(async () => {
      run.clock.now += 100;
      await set(id, `updated_at = ${run.clock.now}`);
      return new Response(null, { status: 410 });
    });
    using warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await run.drain(id);
    expect(warned).not.toHaveBeenCalled();
    expect(await endpointOf(id)).toMatchObject({ status: EndpointStatus.active, lease_until: 0 });
    expect(await states(id)).toEqual([DeliveryState.open, DeliveryState.open]);
    expect(await noticesOf(id)).toEqual([]);
    const next = consumerNow(ok);
    next.clock.now = run.clock.now + 1000;
    await next.drain(id);
    expect(await states(id)).toEqual([DeliveryState.delivered, DeliveryState.delivered]);
  });

  it('fault 46: its webhook is deleted: what is open is cancelled, nothing is sent', async () => {
    const { shop, id } = await waiting(3);
    await shop.api(`DELETE /webhooks/${id}`);
    expect(await states(id)).toEqual([4, 4, 4]);
    const run = consumerNow(ok);
    run.clock.now += 30_000;
    await run.drain(id);
    expect(run.requests).toEqual([]);
  });

  it('fault 47: its URL is changed: the next try goes to the new one', async () => {
    const { shop, id } = await waiting(1);
    const run = consumerNow(
      (request) => new Response(null, { status: request.url.endsWith('/new') ? 200 : 500 }),
    );
    await run.drain(id);
    await shop.api(`PUT /webhooks/${id}`, { url: 'http://127.0.0.1:9/new' });
    run.clock.now = Number((await endpointOf(id))?.wake_at);
    await run.drain(id);
    expect(run.requests.map(({ url }) => new URL(url).pathname)).toEqual(['/nobody', '/new']);
    expect(await states(id)).toEqual([1]);
  });

  it('fault 48: its events are changed: only later ones are concerned', async () => {
    const shop = await store();
    const id = await webhookOf(shop, ['product.created']);
    const { body: brand } = await shop.api('POST /catalog/brands', { name: 'Marca', active: true });
    const product = { name: 'p', simple: true, active: true, brand_id: brand.data.id };
    await shop.api('POST /catalog/products', product);
    await shop.api(`PUT /webhooks/${id}`, { events: ['product.deleted'] });
    await shop.api('POST /catalog/products', product);
    expect(await states(id)).toEqual([0]);
    const run = consumerNow(ok);
    await run.drain(id);
    expect(run.requests[0]?.headers.get('x-service-topic')).toBe('product.created');
    expect(await states(id)).toEqual([1]);
  });
});
