import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { openShard } from '../../src/db/open.ts';
import { StoreDb } from '../../src/db/store.ts';
import { feedScan, readFeed } from '../../src/events/feed.ts';
import { publish } from '../../src/events/publish.ts';
import { measured } from '../support/counted.ts';
import { subscribe } from '../support/events.ts';
import { store, type TestStore } from '../support/store.ts';

const day = 86_400_000;
const names = ['product.created', 'product.updated', 'product.inventory.updated'] as const;

/** A handle on the store's data, whose clock says `now`. */
function handle({ id, alias }: TestStore, now = Date.now()) {
  const shop = {
    id,
    alias,
    shard: 0,
    zone: 'America/Sao_Paulo',
    base_url: '',
    active: true,
    test: true,
  };
  return new StoreDb(shop, openShard(env.STORE_0), { now, wake: () => undefined });
}

/** Records events of these names in one transaction, numbered from `first`. */
const record = (
  shop: TestStore,
  events: readonly (typeof names)[number][],
  at?: number,
  first = 0,
) =>
  publish(
    handle(shop, at),
    [],
    events.map((name, index) => ({ name, resource: { number: first + index } })),
  );

async function subscribed() {
  const shop = await store();
  await subscribe(shop, names);
  return shop;
}

const numbers = (body: { data: { resource: { number: number } }[] }) =>
  body.data.map(({ resource }) => resource.number);

const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

describe('GET /{alias}/events', () => {
  it('200 with what the receivers were sent, the oldest first', async () => {
    const shop = await subscribed();
    await record(shop, ['product.updated', 'product.created'], Date.UTC(2031, 2, 5, 12, 4, 7));
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

  it('200 and empty without a webhook that was subscribed when it happened', async () => {
    const shop = await store();
    await record(shop, ['product.created']);
    await subscribe(shop, ['product.updated']);
    await record(shop, ['product.created', 'product.updated']);
    expect(numbers((await shop.api('GET /events')).body)).toEqual([1]);
  });

  it('is read to its end along next, without a gap and without a repetition', async () => {
    const shop = await subscribed();
    await record(shop, times(23, 'product.created'));
    const seen: number[] = [];
    let next = `/v2/${shop.alias}/events?limit=5`;
    for (let pages = 0; next !== ''; pages += 1) {
      expect(pages).toBeLessThan(6);
      const path = next.replace(/^.*\/events/, '/events');
      const { body, headers } = await shop.api(`GET ${path}`);
      seen.push(...numbers(body));
      next = body.meta.pagination.links.next;
      expect(headers.get('Link')).toBe(next === '' ? null : `<${next}>; rel="next"`);
    }
    expect(seen).toEqual(Array.from({ length: 23 }, (_, index) => index));
  });

  it('misses nothing that a slower clock recorded after a page was read', async () => {
    const shop = await subscribed();
    const now = Date.now();
    await record(shop, ['product.created'], now, 1);
    const last = (await shop.api('GET /events')).body.data.at(-1).id;
    await record(shop, ['product.created'], now - 5_000, 2);
    expect(numbers((await shop.api(`GET /events?after_id=${last}`)).body)).toEqual([2]);
  });

  it('gives ids that sort by commit, also within a transaction and while a clock goes back', async () => {
    const shop = await subscribed();
    const now = Date.now();
    for (const at of [now, now - 5_000, now - 5_000, now + 1]) {
      await record(shop, ['product.created', 'product.updated'], at);
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

  it('keeps the order of the commits when many are made at once', async () => {
    const shop = await subscribed();
    const writers = Array.from({ length: 20 }, (_, n) =>
      record(shop, ['product.created', 'product.updated'], undefined, n * 2),
    );
    await Promise.all(writers);
    const { body } = await shop.api('GET /events?limit=100');
    const found = numbers(body);
    expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n));
    for (let at = 0; at < 40; at += 2) expect(found[at + 1]).toBe((found[at] ?? 0) + 1);
  });

  it.each([
    ['event=product.updated', [1, 4]],
    ['event[]=product.updated&event[]=product.created', [0, 1, 3, 4]],
    ['event=product.updated,product.inventory.updated', [1, 2, 4, 5]],
    ['event[]=', [0, 1, 2, 3, 4, 5]],
    ['event=order.paid', []],
  ])('narrows by %s', async (query, wanted) => {
    const shop = await subscribed();
    await record(shop, [...names, ...names]);
    for (const limit of [1, 2, 100]) {
      const seen: number[] = [];
      for (let after = ''; ;) {
        const { body } = await shop.api(`GET /events?limit=${limit}&${query}&after_id=${after}`);
        seen.push(...numbers(body));
        if (body.meta.pagination.links.next === '') break;
        after = body.data.at(-1).id;
      }
      expect(seen).toEqual(wanted);
    }
  });

  it('shows the last 30 days alone, also when older events lie there still', async () => {
    const shop = await subscribed();
    const now = Date.now();
    await record(shop, times(150, 'product.created'), now - 30 * day - 60_000);
    await record(shop, ['product.updated'], now - 30 * day + 60_000, 150);
    await record(shop, times(3, 'product.created'), now, 151);
    for (const query of ['', '&event=product.created,product.updated']) {
      const { body } = await shop.api(`GET /events?limit=100${query}`);
      expect(numbers(body)).toEqual([150, 151, 152, 153]);
    }
    const { rows } = await readFeed(handle(shop, now - 30 * day), {
      afterId: undefined,
      names,
      limit: 100,
    });
    const old = await shop.api(`GET /events?after_id=${rows[0]?.id}`);
    expect([old.status, Object.keys(old.body.errors)]).toEqual([400, ['after_id']]);
  });

  it('400 for an event of another store', async () => {
    const [shop, other] = [await subscribed(), await subscribed()];
    await record(other, ['product.created']);
    const { id } = (await other.api('GET /events')).body.data[0];
    const answer = await shop.api(`GET /events?after_id=${id}`);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['after_id']]);
    expect((await shop.api('GET /events')).body.data).toEqual([]);
  });

  it('400 for an id that the store never gave out, also when it would sort among its own', async () => {
    const shop = await subscribed();
    await record(shop, times(2, 'product.created'));
    const { id } = (await shop.api('GET /events')).body.data[0];
    const answer = await shop.api(`GET /events?after_id=${id.slice(0, -20)}${'0'.repeat(20)}`);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ['after_id']]);
  });

  it.each([
    ['after_id=7', 'after_id'],
    [`after_id=evt_${'0'.repeat(46)}`, 'after_id'],
    ['after_id=&after_id=', 'after_id'],
    ['event=product.painted', 'event'],
    ['limit=0', 'limit'],
  ])('400 for %s', async (query, field) => {
    const { api } = await store();
    const answer = await api(`GET /events?${query}`);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
  });

  it('is one round trip and reads what a page is long, whatever the feed holds', async () => {
    const shop = await subscribed();
    await record(shop, times(2, 'product.updated'));
    for (let first = 0; first < 3_000; first += 100) {
      await record(shop, times(100, 'product.created'), undefined, first);
    }
    await record(shop, ['product.updated'], undefined, 7);
    const rare: number[] = [];
    for (let next = '/events?limit=20&event=product.updated'; next !== '';) {
      const { data, answer } = await measured(shop, `GET ${next}`);
      expect(answer.status).toBe(200);
      expect([data.trips, data.statements]).toEqual([1, 2]);
      expect(data.rowsRead).toBeLessThan(6 * feedScan);
      rare.push(...numbers(answer.body));
      next = answer.body.meta.pagination.links.next.replace(/^.*\/events/, '/events');
    }
    expect(rare).toEqual([0, 1, 7]);
    const { data, answer } = await measured(shop, 'GET /events?limit=20');
    expect(answer.body.data).toHaveLength(20);
    expect(data.rowsRead).toBeLessThan(8 * 21);
  });

  it('is filtered by the scope of each event for a token', async () => {
    const shop = await subscribed();
    await record(shop, [...names, ...names]);
    const wanted = { afterId: undefined, limit: 10 };
    const some = await readFeed(handle(shop), { ...wanted, names: ['product.inventory.updated'] });
    expect(some.rows.map(({ body }) => JSON.parse(body).resource.number)).toEqual([2, 5]);
    expect(await readFeed(handle(shop), { ...wanted, names: [] })).toEqual({
      rows: [],
      goesOnAfter: undefined,
    });
  });
});
