import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { publish } from '../../../src/webhooks/events/publish.ts';
import { limitBindings } from '../../support/api/limits.ts';
import { countingDatabase, measureRequest, noCost } from '../../support/api/measure.ts';
import { openStoreDb } from '../../support/fixtures/store-db.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';
import { createConsumer, respondOk } from '../../support/webhooks/consumer.ts';
import { recordedEventNames } from '../../support/webhooks/recorded-events.ts';
import '../../support/fixtures/first-shard.ts';

/** A budget so small that each event is counted, and not one in 64 by chance. */
const eachCounted = limitBindings({ EVENT_BUDGET_BYTES: '1000000' });

const webhook = { url: 'https://receiver.test/hook', name: 'test', events: ['product.updated'] };

describe('the check whether an app may receive an event', () => {
  it('costs a change no round trip, no row written, and at most nine rows read for each webhook', async () => {
    const store = await createTestStore();
    const { body: brand } = await store.api('POST /catalog/brands', { name: 'M', active: true });
    const product = { name: 'p', simple: true, active: true, brand_id: brand.data.id };
    const { body } = await store.api('POST /catalog/products', product);
    const path = `PUT /catalog/products/${body.data.id}`;
    const own = await store.api('POST /webhooks', { ...webhook, url: 'http://127.0.0.1:9/own' });
    await store.api(path, { priority: 1 });
    const byApiKey = await measureRequest(store, path, { priority: 2 }, eachCounted);
    await store.api(`DELETE /webhooks/${own.body.data.id}`);
    const { api } = await connectApp(store);
    await api('POST /webhooks', { ...webhook, url: 'http://127.0.0.1:9/app' });
    const byApp = await measureRequest(store, path, { priority: 3 }, eachCounted);
    expect(byApp.data.roundTrips).toBe(byApiKey.data.roundTrips);
    expect(byApp.data.rowsWritten).toBe(byApiKey.data.rowsWritten);
    expect(byApp.data.rowsRead - byApiKey.data.rowsRead).toBeLessThanOrEqual(9);
    expect(await recordedEventNames(store)).toEqual(Array(3).fill('product.updated'));
  });

  it('costs a run no round trip, and at most three rows read for each of sixty deliveries', async () => {
    const store = await createTestStore();
    const { api } = await connectApp(store);
    const made = await api('POST /webhooks', { ...webhook, url: 'http://127.0.0.1:9/app' });
    const id: number = made.body.data.id;
    const events = Array.from({ length: 60 }, () => ({
      name: 'product.updated' as const,
      resource: { id: 1 },
    }));
    await publish(openStoreDb(store), [], events.slice(0, 30));
    await publish(openStoreDb(store), [], events.slice(30));
    const measure = async () => {
      const cost = noCost();
      const counted = countingDatabase(env.STORE_0, cost);
      const run = createConsumer(respondOk, (all) => counted.batch(all));
      run.clock.now = Date.now() + 1;
      await run.deliver(id);
      expect(run.requests).toHaveLength(60);
      return cost;
    };
    const ofApp = await measure();
    await env.STORE_0.batch(
      [
        'update webhook_deliveries set state = 0, attempts = 0, done_at = null where endpoint_id = ?',
        'update webhook_endpoints set client_id = null, next_attempt_at = 1 where id = ?',
      ].map((statement) => env.STORE_0.prepare(statement).bind(id)),
    );
    const ofApiKey = await measure();
    expect(ofApp.roundTrips).toBeLessThanOrEqual(ofApiKey.roundTrips + 1);
    expect(ofApp.rowsRead - ofApiKey.rowsRead).toBeLessThanOrEqual(3 * 60);
  });
});
