import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { takeStep } from '../../../src/catalog/transfers/transfer-step.ts';
import { copyStoreFacts } from '../../../src/data/shards/copy-facts.ts';
import { deactivateStore, reactivateStore } from '../../../src/stores/activate-store.ts';
import { continueReplays } from '../../../src/webhooks/replay/replay-run.ts';
import { disableFailing } from '../../../src/webhooks/sweep/failing.ts';
import { enqueueDue } from '../../../src/webhooks/sweep/overdue.ts';
import { sampleCustomer } from '../../support/fixtures/sample-data.ts';
import { createSellingStore, orderBody } from '../../support/fixtures/selling-store.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { operatorAction } from '../../support/jobs.ts';
import { followChanges, runAllTimers } from '../../support/sweep.ts';
import { sendImport } from '../../support/transfers/transfers.ts';
import { createConsumer, respondOk } from '../../support/webhooks/consumer.ts';
import { subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import { wakeupBindings } from '../../support/webhooks/wakeup-queues.ts';

const day = 86_400_000;
const db = env.STORE_0;

// Years before the records of other tests, so that a run at this time processes only those of its
// own test.
const start = Date.UTC(2003, 0, 1);

async function deactivate({ id }: TestStore) {
  await deactivateStore(operatorAction(), { storeId: id, reason: 'not paid' });
  await copyStoreFacts(env, id);
}

async function reactivate({ id }: TestStore) {
  await reactivateStore(operatorAction(), { storeId: id });
  await copyStoreFacts(env, id);
}

const contextAt = (now: number, bindings: Partial<Env> = {}) => ({
  env: { ...env, ...bindings },
  shard: 0,
  db,
  now: () => now,
  hasTime: () => true,
});

/** The endpoints for which the sweep of their shard sends a wake-up now. */
async function wokenBySweep(): Promise<number[]> {
  const woken: number[] = [];
  const sendBatch = (messages: MessageSendRequest<{ endpoint: number }>[]) => {
    woken.push(...messages.map(({ body }) => body.endpoint));
    return Promise.resolve();
  };
  await enqueueDue(
    contextAt(
      Date.now(),
      wakeupBindings(() => ({ sendBatch })),
    ),
  );
  return woken;
}

describe('a deactivated store', () => {
  it('sends, captures and reminds nothing; after reactivation nothing is lost', async () => {
    const shop = await createSellingStore({ shard: 0 });
    const endpoint = await subscribeEndpoint(shop, [
      'cart.reminder',
      'order.paid',
      'customer.created',
    ]);
    const items = shop.skuIds.map((sku_id) => ({ sku_id, quantity: 1 }));
    const tracking_data = { name: 'Bia Prado', email: 'bia@buyers.test', phone: null };
    const cart = await shop.api('POST /checkout/carts', { items, tracking_data });
    const order = await shop.api(
      'POST /orders',
      orderBody(shop, { payment_id: shop.payments['credit_card'] }),
    );
    await shop.api('POST /customers', { ...sampleCustomer, email: 'before@buyers.test' });
    await db.batch([
      db
        .prepare('update carts set edited_at = ?2, due_at = ?2 + 3600000 where id = ?1')
        .bind(cart.body.data.id, start),
      db
        .prepare('update transactions set due_at = ?2 where order_id = ?1')
        .bind(order.body.data.id, start),
    ]);
    const state = async () =>
      db
        .prepare(
          `select (select status from carts where id = ?1) as cart,
          (select status from transactions where order_id = ?2) as payment,
          (select count(*) from webhook_deliveries where endpoint_id = ?3 and state = 0) as waiting`,
        )
        .bind(cart.body.data.id, order.body.data.id, endpoint)
        .first();
    const waits = { cart: 'open', payment: 'authorized', waiting: 1 };
    const consumer = createConsumer(respondOk);
    consumer.clock.now = Date.now();

    await deactivate(shop);
    await runAllTimers(env, () => start + day);
    await consumer.deliver(endpoint);
    expect(await wokenBySweep()).not.toContain(endpoint);
    expect(await state()).toEqual(waits);
    expect(consumer.requests).toEqual([]);
    // The bound of the timers has passed over what waits, so quiet minutes stay cheap.
    const bound = await db
      .prepare(`select due_at from timer_bounds where kind = 'carts'`)
      .first<number>('due_at');
    expect(bound).toBeGreaterThan(start + day);

    await reactivate(shop);
    expect(await wokenBySweep()).toContain(endpoint);
    await runAllTimers(env, () => start + day);
    expect(await state()).toMatchObject({ cart: 'abandoned', payment: 'paid' });
    for (let turn = 0; turn < 4; turn += 1) {
      consumer.clock.now = Date.now() + turn;
      await consumer.deliver(endpoint);
    }
    const names = await Promise.all(
      consumer.requests.map(async (request) => (await request.json<{ event: string }>()).event),
    );
    expect(names.toSorted()).toEqual(['cart.reminder', 'customer.created', 'order.paid']);
  });

  it('stops a delivery that goes on, and counts no failure of the days in between', async () => {
    const shop = await createTestStore({ shard: 0 });
    const endpoint = await subscribeEndpoint(shop, ['customer.created']);
    const now = Date.now();
    await db
      .prepare(
        `update webhook_endpoints set lease_until = ?2, lease_generation = 1, lease_workers = 1,
          first_failure_at = ?3, failure_count = 50, consecutive_failures = 3 where id = ?1`,
      )
      .bind(endpoint, now + 60_000, now - 130 * 3_600_000)
      .run();
    const read = () =>
      db
        .prepare(
          'select status, lease_backoff_until, first_failure_at from webhook_endpoints where id = ?',
        )
        .bind(endpoint)
        .first<{ status: number; lease_backoff_until: number; first_failure_at: number }>();
    await deactivate(shop);
    expect((await read())?.lease_backoff_until).toBeGreaterThanOrEqual(now);
    await disableFailing(contextAt(Date.now()));
    expect(await read()).toMatchObject({ status: 0 });
    await reactivate(shop);
    await disableFailing(contextAt(Date.now()));
    const after = await read();
    expect(after).toMatchObject({ status: 0 });
    expect(after?.first_failure_at).toBeGreaterThanOrEqual(now);
  });

  it('has no step for its imports and replays, until it is active again', async () => {
    const shop = await createTestStore({ shard: 0 });
    const endpoint = await subscribeEndpoint(shop, ['customer.created']);
    await shop.api('POST /customers', sampleCustomer);
    await db
      .prepare(
        'update webhook_deliveries set state = 1, done_at = created_at where endpoint_id = ?',
      )
      .bind(endpoint)
      .run();
    const from = new Date(Date.now() - day).toISOString();
    const to = new Date(Date.now() + 1_000).toISOString();
    const replay = await shop.api(`POST /webhooks/${endpoint}/replays`, { from, to });
    expect(replay.status).toBe(201);
    const started = await sendImport(shop, [{ name: 'Two', simple: true, active: true }]);
    const state = async () =>
      db
        .prepare(
          `select (select state from transfers where id = ?1) as import,
            (select count(*) from webhook_deliveries where endpoint_id = ?2 and state = 0) as sent_again`,
        )
        .bind(started.body.data.id, endpoint)
        .first();
    const work = async () => {
      await continueReplays(contextAt(Date.now()));
      await takeStep(contextAt(Date.now()), {
        stepMs: 2_000,
        restFactor: 0,
        longChunkMs: Infinity,
      });
    };
    const before = await state();
    await deactivate(shop);
    await work();
    expect(await state()).toEqual(before);
    await reactivate(shop);
    await work();
    expect(await state()).toMatchObject({ import: 'done' });
    expect((await state())?.['sent_again']).toBeGreaterThan(Number(before?.['sent_again']));
  });

  it('is known to its shard within a minute, also if it was not notified at once', async () => {
    const shop = await createTestStore({ shard: 0 });
    await deactivateStore(operatorAction(), { storeId: shop.id, reason: 'not paid' });
    const works = () =>
      db.prepare('select works from placements where store_id = ?').bind(shop.id).first('works');
    expect(await works()).toBe(1);
    await followChanges(env, shop);
    expect(await works()).toBe(0);
  });
});
