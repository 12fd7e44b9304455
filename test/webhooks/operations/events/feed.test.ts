import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { eventIdFrom } from '../../../../src/data/core/event-id.ts';
import { openDatabase } from '../../../../src/data/core/open-database.ts';
import { StoreDb } from '../../../../src/data/core/store-db.ts';
import { maxFeedScan, readFeed } from '../../../../src/webhooks/events/feed.ts';
import { publish } from '../../../../src/webhooks/events/publish.ts';
import { measureRequest } from '../../../support/api/measure.ts';
import { createTestStore, type TestStore } from '../../../support/fixtures/store.ts';
import { subscribeEndpoint } from '../../../support/webhooks/recorded-events.ts';
import '../../../support/fixtures/first-shard.ts';

const day = 86_400_000;
const eventNames = ['product.created', 'product.updated', 'product.inventory.updated'] as const;

/** Opens the data of a store at the time `now`. */
function openStoreDb({ id, alias }: TestStore, now = Date.now()) {
  const shop = {
    id,
    alias,
    shard: 0,
    zone: 'America/Sao_Paulo',
    base_url: '',
    active: true,
    test: true,
  };
  return new StoreDb(shop, openDatabase(env.STORE_0), { now, wakeEndpoints: () => undefined });
}

/** Publishes events with these names in one transaction, numbered from `first`. */
const recordEvents = (
  shop: TestStore,
  events: readonly (typeof eventNames)[number][],
  at?: number,
  first = 0,
) =>
  publish(
    openStoreDb(shop, at),
    [],
    events.map((name, index) => ({ name, resource: { number: first + index } })),
  );

async function createSubscribedStore() {
  const shop = await createTestStore();
  await subscribeEndpoint(shop, eventNames);
  return shop;
}

/**
 * Stores copies of the last event under another name, as if they had been recorded a moment after
 * it.
 */
const copyLastEvent = (shop: TestStore, count: number) =>
  env.STORE_0.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
      insert into webhook_events (id, store_id, event, body, created_at)
      select ?2 || printf('%020x', i), store_id, 'product.created', body, created_at from n cross join
        (select * from webhook_events where store_id = ?3 order by id desc limit 1)`,
  )
    .bind(count, eventIdFrom(shop.id, Date.now() + 1), shop.id)
    .run();

const numbersOf = (body: { data: { resource: { number: number } }[] }) =>
  body.data.map(({ resource }) => resource.number);

const repeat = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

describe('GET /{alias}/events', () => {
  it('returns 200 with the bodies that receivers got, oldest first', async () => {
    const shop = await createSubscribedStore();
    await recordEvents(
      shop,
      ['product.updated', 'product.created'],
      Date.UTC(2031, 2, 5, 12, 4, 7),
    );
    const { status, body, headers } = await shop.api('GET /events');
    expect([status, body.meta]).toEqual([
      200,
      { pagination: { count: 2, per_page: 10, links: { next: '' } } },
    ]);
    expect(body.data[0]).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{46}$/),
      event: 'product.updated',
      time: '2031-03-05 09:04:07',
      merchant: { id: shop.id, alias: shop.alias },
      resource: { number: 0 },
    });
    expect(headers.get('Link')).toBeNull();
  });

  it('returns 200 without events when no webhook was subscribed at their time', async () => {
    const shop = await createTestStore();
    await recordEvents(shop, ['product.created']);
    await subscribeEndpoint(shop, ['product.updated']);
    await recordEvents(shop, ['product.created', 'product.updated']);
    expect(numbersOf((await shop.api('GET /events')).body)).toEqual([1]);
  });

  it('returns every event exactly once by following next', async () => {
    const shop = await createSubscribedStore();
    await recordEvents(shop, repeat(23, 'product.created'));
    const seen: number[] = [];
    let next = `/v2/${shop.alias}/events?limit=5`;
    for (let pages = 0; next !== ''; pages += 1) {
      expect(pages).toBeLessThan(6);
      const path = next.replace(/^.*\/events/, '/events');
      const { body, headers } = await shop.api(`GET ${path}`);
      seen.push(...numbersOf(body));
      next = body.meta.pagination.links.next;
      expect(headers.get('Link')).toBe(next === '' ? null : `<${next}>; rel="next"`);
    }
    expect(seen).toEqual(Array.from({ length: 23 }, (_, index) => index));
  });

  it('misses no event that a slower clock recorded after a page was read', async () => {
    const shop = await createSubscribedStore();
    const now = Date.now();
    await recordEvents(shop, ['product.created'], now, 1);
    const last = (await shop.api('GET /events')).body.data.at(-1).id;
    await recordEvents(shop, ['product.created'], now - 5_000, 2);
    expect(numbersOf((await shop.api(`GET /events?after_id=${last}`)).body)).toEqual([2]);
  });

  it('gives ids that sort by commit, even within a transaction and when a clock goes back', async () => {
    const shop = await createSubscribedStore();
    const now = Date.now();
    for (const at of [now, now - 5_000, now - 5_000, now + 1]) {
      await recordEvents(shop, ['product.created', 'product.updated'], at);
    }
    const { results } = await env.STORE_0.prepare(
      `select event_id from webhook_deliveries where endpoint_id in
        (select id from webhook_endpoints where store_id = ?) order by seq`,
    )
      .bind(shop.id)
      .all<{ event_id: string }>();
    const ids = results.map(({ event_id }) => event_id);
    expect(new Set(ids).size).toBe(8);
    expect(ids).toEqual(ids.toSorted());
    expect((await shop.api('GET /events')).body.data.map(({ id }: { id: string }) => id)).toEqual(
      ids,
    );
  });

  it('keeps the order of commits for concurrent writes', async () => {
    const shop = await createSubscribedStore();
    const writers = Array.from({ length: 20 }, (_, n) =>
      recordEvents(shop, ['product.created', 'product.updated'], undefined, n * 2),
    );
    await Promise.all(writers);
    const { body } = await shop.api('GET /events?limit=100');
    const found = numbersOf(body);
    expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n));
    for (let at = 0; at < 40; at += 2) expect(found[at + 1]).toBe((found[at] ?? 0) + 1);
  });

  it.each([
    ['event=product.updated', [1, 4]],
    ['event[]=product.updated&event[]=product.created', [0, 1, 3, 4]],
    ['event=product.updated,product.inventory.updated', [1, 2, 4, 5]],
    ['event[]=', [0, 1, 2, 3, 4, 5]],
    ['event=order.paid', []],
  ])('returns only the matching events for %s', async (query, wanted) => {
    const shop = await createSubscribedStore();
    await recordEvents(shop, [...eventNames, ...eventNames]);
    for (const limit of [1, 2, 100]) {
      const seen: number[] = [];
      for (let after = ''; ;) {
        const { body } = await shop.api(`GET /events?limit=${limit}&${query}&after_id=${after}`);
        seen.push(...numbersOf(body));
        if (body.meta.pagination.links.next === '') break;
        after = body.data.at(-1).id;
      }
      expect(seen).toEqual(wanted);
    }
  });

  it('returns only the last 30 days, although older events are still stored', async () => {
    const shop = await createSubscribedStore();
    const now = Date.now();
    await recordEvents(shop, repeat(150, 'product.created'), now - 30 * day - 60_000);
    await recordEvents(shop, ['product.updated'], now - 30 * day + 60_000, 150);
    await recordEvents(shop, repeat(3, 'product.created'), now, 151);
    for (const query of ['', '&event=product.created,product.updated']) {
      const { body } = await shop.api(`GET /events?limit=100${query}`);
      expect(numbersOf(body)).toEqual([150, 151, 152, 153]);
    }
    const { rows } = await readFeed(openStoreDb(shop, now - 30 * day), {
      afterId: undefined,
      names: eventNames,
      limit: 100,
    });
    const old = await shop.api(`GET /events?after_id=${rows[0]?.id}`);
    expect([old.status, Object.keys(old.body.errors)]).toEqual([400, ['after_id']]);
  });

  it('returns 400 for an event of another store', async () => {
    const [shop, other] = [await createSubscribedStore(), await createSubscribedStore()];
    await recordEvents(other, ['product.created']);
    const { id } = (await other.api('GET /events')).body.data[0];
    const response = await shop.api(`GET /events?after_id=${id}`);
    expect([response.status, Object.keys(response.body.errors)]).toEqual([400, ['after_id']]);
    expect((await shop.api('GET /events')).body.data).toEqual([]);
  });

  it('returns 400 for an id that the store never issued, even if it would sort among its own', async () => {
    const shop = await createSubscribedStore();
    await recordEvents(shop, repeat(2, 'product.created'));
    const { id } = (await shop.api('GET /events')).body.data[0];
    const response = await shop.api(`GET /events?after_id=${id.slice(0, -20)}${'0'.repeat(20)}`);
    expect([response.status, Object.keys(response.body.errors)]).toEqual([400, ['after_id']]);
  });

  it.each([
    ['after_id=7', 'after_id'],
    [`after_id=evt_${'0'.repeat(46)}`, 'after_id'],
    ['after_id=&after_id=', 'after_id'],
    ['event=product.painted', 'event'],
    ['limit=0', 'limit'],
  ])('returns 400 for %s', async (query, field) => {
    const { api } = await createTestStore();
    const response = await api(`GET /events?${query}`);
    expect([response.status, Object.keys(response.body.errors)]).toEqual([400, [field]]);
  });

  it('costs one round trip that reads as many rows as the page holds, whatever the size of the feed', async () => {
    const shop = await createSubscribedStore();
    await recordEvents(shop, repeat(2, 'product.updated'), Date.now());
    await copyLastEvent(shop, 3_000);
    await recordEvents(shop, ['product.updated'], Date.now() + 2, 7);
    const rare: number[] = [];
    for (let next = '/events?limit=20&event=product.updated'; next !== '';) {
      const { data, response } = await measureRequest(shop, `GET ${next}`);
      expect(response.status).toBe(200);
      expect([data.roundTrips, data.statements]).toEqual([1, 3]);
      expect(data.rowsRead).toBeLessThan(6 * maxFeedScan);
      rare.push(...numbersOf(response.body));
      next = response.body.meta.pagination.links.next.replace(/^.*\/events/, '/events');
    }
    expect(rare).toEqual([0, 1, 7]);
    const { data, response } = await measureRequest(shop, 'GET /events?limit=20');
    expect(response.body.data).toHaveLength(20);
    // The guard reads one more.
    expect(data.rowsRead).toBeLessThanOrEqual(8 * 21);
  });

  it('filters events by the read scopes of a token', async () => {
    const shop = await createSubscribedStore();
    await recordEvents(shop, [...eventNames, ...eventNames]);
    const wanted = { afterId: undefined, limit: 10 };
    const some = await readFeed(openStoreDb(shop), {
      ...wanted,
      names: ['product.inventory.updated'],
    });
    expect(some.rows.map(({ body }) => JSON.parse(body).resource.number)).toEqual([2, 5]);
    expect(await readFeed(openStoreDb(shop), { ...wanted, names: [] })).toEqual({
      rows: [],
      continueAfter: undefined,
    });
  });
});
