import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shardBinding } from '../../src/data/core/open-database.ts';
import { evictApiKeysOfUser } from '../../src/http/access/api-key.ts';
import { followDirectory } from '../../src/ops/follow-directory.ts';
import { mailNotices } from '../../src/ops/mail-notices.ts';
import { ask, auditOfStore } from '../pages/operator/store-requests.ts';
import { fakeLimiter, limitBindings } from '../support/api/limits.ts';
import { callWithBindings, measureRequest } from '../support/api/measure.ts';
import { Browser } from '../support/browser/browser.ts';
import { emptyOutboxes } from '../support/empty-outboxes.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { sentMails } from '../support/mail.ts';
import { fence, move, runMoves } from '../support/move/run-moves.ts';
import { connectApp } from '../support/oauth/partner.ts';
import { subscribeEndpoint } from '../support/webhooks/recorded-events.ts';
import '../support/fixtures/first-shard.ts';

emptyOutboxes();

/** The clock stands in the middle of a turn and of a day. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Math.floor(Date.now() / 86_400_000) * 86_400_000 + 43_205_000);
});
afterEach(() => {
  vi.useRealTimers();
});

const million = 1_000_000;

const setBudget = (store: TestStore, bytes: number | null, reason = 'A big launch') =>
  ask(`POST /operator/stores/${store.id}/limits`, { event_budget: bytes, reason });

const contextOf = (shard: number) => ({
  env,
  shard,
  db: shardBinding(env, shard),
  now: () => Date.now(),
  hasTime: () => true,
});

const budgetIn = (shard: number, { id }: TestStore) =>
  shardBinding(env, shard)
    .prepare('select budget from event_budgets where store_id = ?')
    .bind(id)
    .first('budget');

/** Creates a store with a product and a webhook for its updates, which has recorded some events. */
async function createShop() {
  const store = await createTestStore();
  const brand = { name: 'Marca', active: true };
  const { body } = await store.api('POST /catalog/brands', brand);
  // Large events are counted each, small ones at random.
  const description = 'x'.repeat(2_000);
  const product = { name: 'p', description, simple: true, active: true, brand_id: body.data.id };
  const skus = [{ sku: 'A', price_sale: 1 }];
  const made = await store.api('POST /catalog/products', { ...product, skus });
  await subscribeEndpoint(store, ['product.updated']);
  const path = `/catalog/products/${made.body.data.id}`;
  let priority = 0;
  const change = () => store.api(`PUT ${path}`, { priority: (priority += 1) });
  const measure = () =>
    measureRequest(store, `PUT ${path}`, { priority: (priority += 1) }).then(({ data }) => data);
  const listed = await store.api(`GET ${path}/skus`);
  let price_sale = 1;
  /** Changes the price by the call for many, which takes turns beyond the budget. */
  const changePrice = () => {
    const item = { sku_id: listed.body.data[0].id, price_sale: (price_sale += 1) };
    return store.api('PUT /catalog/prices', { items: [item] });
  };
  await change();
  return { store, change, changePrice, measure };
}

const record = ({ id }: TestStore, bytes: number) =>
  env.STORE_0.prepare('update event_budgets set bytes = ? where store_id = ?')
    .bind(bytes, id)
    .run();

describe('the event budget of a store', () => {
  it('is set by an operator with a reason (200), once, and counts in its shard at once', async () => {
    const { store, change, changePrice } = await createShop();
    await record(store, million);
    expect((await change()).status).toBe(200);
    for (const _ of [1, 2]) {
      const { status, data } = await setBudget(store, million);
      expect([status, data]).toMatchObject([200, { event_budget: million }]);
    }
    await vi.waitFor(async () => expect(await budgetIn(0, store)).toBe(million));
    expect((await auditOfStore(store.id)).slice(-1)).toMatchObject([
      { action: 'store.limits_changed', reason: 'A big launch', by_operator: 1 },
    ]);
    using _logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let answer = await changePrice();
    for (let left = 5; left > 0 && answer.status === 200; left -= 1) answer = await changePrice();
    expect([answer.status, answer.headers.get('RateLimit-Policy')]).toEqual([
      429,
      `"event-bytes";q=${Math.ceil(million / 600)};qu="content-bytes";w=10`,
    ]);

    expect((await change()).status).toBe(200);
    expect((await setBudget(store, null, 'Over')).data).toMatchObject({ event_budget: null });
    await vi.waitFor(async () => expect(await budgetIn(0, store)).toBeNull());
    expect((await changePrice()).status).toBe(200);
    const lines = (await auditOfStore(store.id)).map(({ reason }) => reason);
    expect(lines.slice(-2)).toEqual(['A big launch', 'Over']);
  });

  it('is at least a megabyte (422), and belongs to a store that is there (404)', async () => {
    const store = await createTestStore();
    for (const bytes of [million - 1, 1.5, 1e13]) {
      expect((await setBudget(store, bytes)).status).toBe(422);
    }
    expect((await setBudget({ ...store, id: 999_999_999 }, million)).status).toBe(404);
  });

  it('stays with a store that moves, also if it changes on the way', async () => {
    const kept = await createTestStore();
    await setBudget(kept, 2 * million);
    await vi.waitFor(async () => expect(await budgetIn(0, kept)).toBe(2 * million));
    await move(kept, 0, 1);
    expect(await budgetIn(1, kept)).toBe(2 * million);

    const changed = await createTestStore();
    await fence(changed, 0, 1);
    await setBudget(changed, 3 * million);
    await runMoves(0, Date.now());
    await followDirectory(contextOf(1));
    expect(await budgetIn(1, changed)).toBe(3 * million);
  });

  it('is on the page of the store, with what it has recorded today', async () => {
    const { store } = await createShop();
    await record(store, 12_300_000);
    const browser = await new Browser().signIn(store.userId);
    const { text } = await browser.get(`/account/stores/${store.alias}`);
    expect(text).toMatch(/Events today\s*12 MB of 200 MB/);
  });
});

describe('the requests a minute of a store', () => {
  const setRequests = (store: TestStore, perMinute: number | null) =>
    ask(`POST /operator/stores/${store.id}/limits`, {
      requests_per_minute: perMinute,
      reason: 'A sale',
    });
  const factsIn = ({ id, shard }: TestStore) =>
    shardBinding(env, shard)
      .prepare('select facts from placements where store_id = ?')
      .bind(id)
      .first<string>('facts');

  it('are set with the event budget (200), and hold for keys and tokens, also after a move', async () => {
    const store = await createTestStore({ shard: 0 });
    const { headers } = await connectApp(store);
    const STORE_LIMIT = fakeLimiter(false);
    const bindings = limitBindings({ STORE_LIMIT, STORE_PER_MINUTE: '20' });
    const send = async (own = store.headers) => {
      const called = { ...store, headers: own };
      const { status, headers: sent } = await callWithBindings(
        called,
        'GET /catalog/brands',
        undefined,
        bindings,
      );
      return [status, /"store";q=(\d+)/.exec(sent.get('RateLimit-Policy') ?? '')?.[1]];
    };
    await send();
    await send();
    expect(await send()).toEqual([429, '20']);
    const { status, data } = await setRequests(store, 1_000);
    expect([status, data]).toMatchObject([200, { event_budget: null, requests_per_minute: 1_000 }]);
    const line = (await auditOfStore(store.id)).at(-1);
    expect(line).toMatchObject({ action: 'store.limits_changed', reason: 'A sale' });
    await vi.waitFor(async () => expect(await factsIn(store)).toContain(',1000,true]'));
    evictApiKeysOfUser(store.userId);
    expect(await send()).toEqual([200, '1000']);
    // The token of before names no limit. The guard finds that, and the directory tells the rest.
    vi.setSystemTime(Date.now() + 60_000);
    expect((await send(headers))[0]).toBe(200);
    expect(await send(headers)).toEqual([200, '1000']);
    const later = await connectApp(store);
    expect(await send(later.headers)).toEqual([200, '1000']);

    await move(store, 0, 1);
    expect(await factsIn({ ...store, shard: 1 })).toContain(',1000,true]');
    await setRequests(store, null);
    evictApiKeysOfUser(store.userId);
    vi.setSystemTime(Date.now() + 60_000);
    expect(await send()).toEqual([200, '20']);
  });

  it('are 1,000 to 100,000 (422)', async () => {
    const store = await createTestStore();
    for (const perMinute of [999, 100_001, 1_000.5]) {
      expect((await setRequests(store, perMinute)).status).toBe(422);
    }
  });
});

describe('a store that nears its event budget of today', () => {
  it('tells its members at 50 and at 80 %, once a day each, in the batch of the change', async () => {
    const { store, change, measure } = await createShop();
    await setBudget(store, million);
    await vi.waitFor(async () => expect(await budgetIn(0, store)).toBe(million));
    const told = async () => {
      await mailNotices(contextOf(0));
      const mails = await sentMails(`${store.alias}@store.test`, 'event_budget');
      return mails.map(({ subject }) => subject);
    };
    await record(store, million * 0.4);
    const usual = await measure();
    expect(await told()).toEqual([]);
    await record(store, million * 0.5);
    const half = await measure();
    // The notice, its two indexes, and the counter of its ids.
    expect([half.roundTrips, half.rowsWritten]).toEqual([usual.roundTrips, usual.rowsWritten + 4]);
    expect((await measure()).rowsWritten).toBe(usual.rowsWritten);
    const atHalf = 'Test Store has used 50 % of its events of today';
    expect(await told()).toEqual([atHalf]);
    await record(store, million * 0.8);
    await change();
    await change();
    const atMost = 'Test Store has used 80 % of its events of today';
    expect(await told()).toEqual([atMost, atHalf]);
    // A quiet night, and the next day.
    vi.setSystemTime(Date.now() + 86_400_000);
    await change();
    expect(await told()).toEqual([atMost, atHalf]);
    await record(store, million * 0.6);
    await change();
    expect(await told()).toEqual([atHalf, atMost, atHalf]);
    const [mail] = await sentMails(`${store.alias}@store.test`, 'event_budget');
    expect(mail?.text).toContain('50 % of the 1 MB of events');
  });

  it('tells operators once a day that it is beyond it, by single changes alone, after its members', async () => {
    const { store, change, measure } = await createShop();
    await setBudget(store, million);
    await vi.waitFor(async () => expect(await budgetIn(0, store)).toBe(million));
    const told = async () => {
      using logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      await mailNotices(contextOf(0));
      const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)));
      return lines.filter((line) => line.store === store.id);
    };
    const mailed = async () => (await sentMails(`${store.alias}@store.test`)).length;
    await record(store, million * 0.9);
    await change();
    const usual = await measure();
    expect(await told()).toEqual([]);
    await record(store, million);
    const before = await mailed();
    const beyond = await measure();
    // The notice as at 50 and 80 %, and the turn of the archive.
    expect(beyond.roundTrips).toBe(usual.roundTrips);
    expect(beyond.rowsWritten).toBeLessThanOrEqual(usual.rowsWritten + 5);
    const line = { event: 'event_budget_passed', alert: true, store: store.id, shard: 0 };
    expect(await told()).toEqual([expect.objectContaining(line)]);
    await change();
    expect(await told()).toEqual([]);
    expect(await mailed()).toBe(before);
    vi.setSystemTime(Date.now() + 86_400_000);
    await change();
    expect(await told()).toEqual([]);
    // An event that leads beyond the budget at once: its members are told, then the operators.
    await record(store, million * 2);
    await change();
    expect(await told()).toEqual([]);
    expect(await mailed()).toBe(before + 1);
    await change();
    expect(await told()).toEqual([expect.objectContaining(line)]);
  });
});
