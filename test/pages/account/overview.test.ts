import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { setEndpointColumns, webhookPagePath } from '../../support/webhooks/pages.ts';

const failing = { first_failure_at: Date.now() - 7_200_000, consecutive_failures: 3 };
const off = { ...failing, first_failure_at: 1, status: EndpointStatus.autoDisabled };

/** Creates a webhook to a host, and sets its columns. Returns the path of its page. */
async function createWebhook(
  store: TestStore,
  host: string,
  columns: Record<string, number | null> = { first_failure_at: null },
): Promise<string> {
  const url = `https://${host}/in?token=hidden-token`;
  const webhook = { url, name: host, events: ['product.created'] };
  const { body } = await store.api('POST /webhooks', webhook);
  await setEndpointColumns(body.data.id, columns);
  return webhookPagePath(store, body.data.id);
}

/**
 * Makes a store in each of the given shards, and signs in the owner of the first, who manages the
 * others.
 */
async function signInWithStores(shards: readonly number[]) {
  const stores = await Promise.all(shards.map((shard) => createTestStore({ shard })));
  const [first] = stores;
  for (const [index, { id }] of stores.entries()) {
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare('update stores set name = ? where id = ?').bind(`Shop ${index}`, id),
      env.DIRECTORY.prepare(
        `insert or ignore into memberships (user_id, store_id, role, created_at) values (?, ?, 'manager', 1)`,
      ).bind(first!.userId, id),
    ]);
  }
  return { stores, browser: await new Browser().signIn(first!.userId) };
}

describe('GET /account', () => {
  it('returns 200 with the advice of the closed store, and not that of a user who has none', async () => {
    const store = await createTestStore();
    const browser = await new Browser().signIn(store.userId);
    await browser.submit(`/account/stores/${store.alias}/close`, { alias: store.alias });
    const { status, text } = await browser.get('/account');
    expect([status, text.includes('Inactive stores')]).toEqual([200, true]);
    expect(text).not.toMatch(/You have no active store|Your stores/);
  });

  it('returns 200 with each failing webhook of the stores in two shards, by host and store, in one statement for a shard', async () => {
    const { stores, browser } = await signInWithStores([0, 1, 1]);
    const [a, b, c] = stores as [TestStore, TestStore, TestStore];
    const first = await createWebhook(a, 'a.test', failing);
    const well = await createWebhook(a, 'well.test');
    const second = await createWebhook(b, 'b.test', off);
    const paused = { ...failing, status: EndpointStatus.paused };
    await createWebhook(b, 'paused.test', paused);
    const third = await createWebhook(c, 'c.test', failing);
    const costs = [noCost(), noCost()] as const;
    browser.bindings = {
      STORE_0: countingDatabase(env.STORE_0, costs[0]),
      STORE_1: countingDatabase(env.STORE_1, costs[1]),
    };
    const { status, text, html } = await browser.get('/account');
    expect(status).toBe(200);
    for (const [path, words] of [
      [first, 'Shop 0 : the webhook to a.test fails'],
      [second, 'Shop 1 : the webhook to b.test was switched off'],
      [third, 'Shop 2 : the webhook to c.test fails'],
    ] as const) {
      expect(text).toContain(words);
      expect(html).toContain(`href="${path}"`);
    }
    for (const absent of [well, 'well.test', 'paused.test', 'hidden-token']) {
      expect(html).not.toContain(absent);
    }
    expect(costs.map(({ statements, roundTrips }) => [statements, roundTrips])).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('returns 200 with the three that fail for longest, and counts the others of each store', async () => {
    const { stores, browser } = await signInWithStores([0, 0]);
    const [many, one] = stores as [TestStore, TestStore];
    for (const [index, host] of ['new', 'd3', 'd2', 'd1', 'newest'].entries()) {
      const at = { new: 8_000, d3: 3_000, d2: 2_000, d1: 1_000, newest: 9_000 }[host] ?? index;
      await createWebhook(many, `${host}.test`, { ...failing, first_failure_at: at });
    }
    await createWebhook(one, 'other.test', failing);
    const { text, html } = await browser.get('/account');
    const shown = Array.from(text.matchAll(/webhook to (\S+) fails/g), ([, host]) => host);
    expect(shown).toEqual(['d1.test', 'd2.test', 'd3.test', 'other.test']);
    expect(text).toContain('Shop 0 : other webhooks that fail (2)');
    expect(text).not.toContain('Shop 1 : other webhooks');
    expect(html).toContain('<a class="button plain" href="/account/webhooks" aria-describedby="');
  });
});
