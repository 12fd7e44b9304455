import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { defaultZone } from '../../../src/base/codecs/fields/zone.ts';
import { ValidationError } from '../../../src/base/errors.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { StoreDb } from '../../../src/data/core/store-db.ts';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import { publish } from '../../../src/webhooks/events/publish.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createConsumer } from '../../support/webhooks/consumer.ts';
import { deliveryLogOf } from '../../support/webhooks/delivery-log.ts';
import { subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import '../../support/fixtures/first-shard.ts';

describe('fault 59: publish', () => {
  it.each([
    ['129 KB', 129_000],
    ['1.9 MB', 1_900_000],
  ])('records an event of %s, which is delivered', async (_name, size) => {
    const { endpoint, record } = await createShop();
    await record('x'.repeat(size));
    let received = 0;
    const run = createConsumer(async (request) => {
      received = (await request.arrayBuffer()).byteLength;
      return new Response();
    });
    run.clock.now = Date.now();
    await run.deliver(endpoint);
    expect(received).toBeGreaterThan(size);
    expect(await deliveryLogOf(endpoint)).toMatchObject([{ state: DeliveryState.delivered }]);
  });

  it.each([
    ['2.1 MB', 'x'.repeat(2_100_000)],
    ['2.1 MB in characters of three bytes', '\u20ac'.repeat(700_000)],
  ])('rejects an event of %s', async (_name, text) => {
    const { endpoint, record } = await createShop();
    await expect(record(text)).rejects.toThrow(ValidationError);
    expect(await deliveryLogOf(endpoint)).toEqual([]);
  });
});

async function createShop() {
  const made = await createTestStore();
  const endpoint = await subscribeEndpoint(made, ['order.paid']);
  const { id, alias } = made;
  const store = { id, alias, shard: 0, zone: defaultZone, base_url: '', active: true, test: false };
  const options = { now: Date.now(), wakeEndpoints: () => undefined };
  const db = new StoreDb(store, openDatabase(env.STORE_0), options);
  const record = (text: string) => publish(db, [], [{ name: 'order.paid', resource: { text } }]);
  return { endpoint, record };
}
