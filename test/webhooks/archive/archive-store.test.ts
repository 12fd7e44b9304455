import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { deleteObjects } from '../../../src/webhooks/archive/delete-objects.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { flakyDatabase } from '../../support/fakes/flaky-database.ts';
import '../../support/fixtures/first-shard.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import {
  archive,
  archiveTurnOf,
  archiveWith,
  bodiesLeft,
  bodyOfLength,
  fillOldLog,
  makeDue,
  objectsOf,
} from '../../support/webhooks/archive.ts';
import { createTestWebhook, fillDeliveryLog } from '../../support/webhooks/delivery-log.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';

const day = 86_400_000;
const hour = day / 24;

/** About as large as the event of an order. */
const orderBody = bodyOfLength(3_200);

async function createLoggedStore() {
  const shop = await createTestStore();
  return { shop, webhook: await createTestWebhook(shop) };
}

const readFeedOf = async ({ api }: TestStore) => {
  const { status, body } = await api('GET /events?limit=100');
  return [status, body.data];
};

describe('the archive', () => {
  it('takes bodies after BODY_DAYS, with one row written per event, and keeps every event readable', async () => {
    const { shop, webhook } = await createLoggedStore();
    await fillOldLog(shop, webhook, { count: 600, body: orderBody });
    await fillDeliveryLog(shop, webhook, {
      count: 2,
      since: Date.now() - 2 * day,
      body: orderBody,
    });
    const before = await readFeedOf(shop);
    const cost = noCost();
    const objects = await archive({ STORE_0: countingDatabase(env.STORE_0, cost) });
    expect(objects).toBe(2);
    expect(await bodiesLeft(shop)).toBe(2);
    expect(cost.rowsWritten / 600).toBeLessThan(1.05);
    expect(cost.rowsRead / 600).toBeLessThan(12);
    expect(await readFeedOf(shop)).toEqual(before);
    const [first] = await objectsOf(shop);
    const object = await env.ARCHIVE.get(first!.key);
    const lines = (await object!.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).body)).toEqual(
      lines.map(() => JSON.parse(orderBody)),
    );
  });

  it('takes bodies after minutes while the store is beyond its budget of today', async () => {
    const { shop, webhook } = await createLoggedStore();
    // All its minutes lie in one day of UTC.
    const noon = Math.floor(Date.now() / day) * day - day / 2;
    const since = (minutes: number) => noon - minutes * 60_000;
    await fillDeliveryLog(shop, webhook, { count: 600, since: since(25), body: orderBody });
    await fillDeliveryLog(shop, webhook, { count: 2, since: since(1), body: orderBody });
    await makeDue(shop);
    expect(await archive({}, noon)).toBe(0);

    const before = await readFeedOf(shop);
    await makeDue(shop);
    await env.STORE_0.prepare('update event_budgets set bytes = 1001, day = ? where store_id = ?')
      .bind(Math.floor(noon / day), shop.id)
      .run();
    const bindings = (bytes: number) => ({ EVENT_BUDGET_BYTES: `${bytes}` }) as Partial<Env>;
    expect(await archive(bindings(1001), noon)).toBe(0);
    await makeDue(shop);
    expect(await archive(bindings(1000), noon)).toBe(1);
    // Less than an object is left, and waits for more: a few minutes at this rate.
    expect(await bodiesLeft(shop)).toBeLessThan(300);
    expect(await readFeedOf(shop)).toEqual(before);
    const waits = (await archiveTurnOf(shop))!.archive_at! - noon;
    expect(waits).toBeLessThan(hour / 4);
  });

  it('waits for more events of a small store, but not longer than six days in all', async () => {
    const { shop, webhook } = await createLoggedStore();
    await fillOldLog(shop, webhook, { count: 5, days: 4 });
    expect(await archive()).toBe(0);
    const turn = await archiveTurnOf(shop);
    const later = turn!.archive_at! - Date.now();
    expect([later > day, later < 2 * day + hour]).toEqual([true, true]);
    await makeDue(shop);
    expect(await archive({}, Date.now() + 2 * day + hour)).toBe(1);
    expect(await bodiesLeft(shop)).toBe(0);
    expect((await archiveTurnOf(shop))?.archive_at).toBeGreaterThan(Date.now() + day);
  });

  it('puts at most three days of events into one object', async () => {
    const { shop, webhook } = await createLoggedStore();
    for (const days of [20, 18, 13]) await fillOldLog(shop, webhook, { count: 3, days });
    expect(await archive()).toBe(2);
    expect(await objectsOf(shop)).toHaveLength(2);
  });

  it('reads one row for a store that is not due, and forgets stores without events until the next one', async () => {
    const shop = await createTestStore();
    await makeDue(shop);
    const long = Date.now() + 30 * day;
    expect(await archive({}, long)).toBe(0);
    expect((await archiveTurnOf(shop))?.archive_at).toBeNull();
    const cost = noCost();
    await archive({ STORE_0: countingDatabase(env.STORE_0, cost) }, long);
    expect(cost.rowsRead).toBeLessThanOrEqual(1);
    expect(cost.rowsWritten).toBe(0);
    await env.STORE_0.prepare('update event_budgets set day = day + 1 where store_id = ?')
      .bind(shop.id)
      .run();
    expect((await archiveTurnOf(shop))?.archive_at).toBeGreaterThan(0);
  });

  it('leaves stores alone that are leaving the shard or are gone', async () => {
    const { shop, webhook } = await createLoggedStore();
    await fillOldLog(shop, webhook, { count: 3 });
    await env.STORE_0.prepare('update placements set state = 1 where store_id = ?')
      .bind(shop.id)
      .run();
    expect(await archive()).toBe(0);
    expect(await bodiesLeft(shop)).toBe(3);
  });

  it.each([
    ['the bucket refuses', { put: 'before' }],
    ['the answer of the bucket is lost', { put: 'after' }],
    ['the database loses its connection before the commit', { batch: 'before' }],
    ['the database loses its connection after the commit', { batch: 'after' }],
  ] as const)('loses and doubles nothing when %s', async (_, fault) => {
    const { shop, webhook } = await createLoggedStore();
    await fillOldLog(shop, webhook, { count: 30, body: orderBody });
    const before = await readFeedOf(shop);
    const lost = 'put' in fault ? fault.put : undefined;
    const ARCHIVE = archiveWith({
      put: async (...input) => {
        if (lost === 'after') await env.ARCHIVE.put(...input);
        if (lost) throw new Error('Network connection lost.');
        return env.ARCHIVE.put(...input);
      },
    });
    // The second batch of a step clears the bodies.
    const losses = 'batch' in fault ? [undefined, fault.batch] : [];
    const STORE_0 = flakyDatabase(env.STORE_0, losses);
    await archive({ ARCHIVE, STORE_0 });
    expect(await readFeedOf(shop)).toEqual(before);
    await makeDue(shop);
    await archive();
    expect(await bodiesLeft(shop)).toBe(0);
    expect(await objectsOf(shop)).toHaveLength(1);
    expect(await readFeedOf(shop)).toEqual(before);
  });

  it('loses nothing when two sweeps archive the same store at once', async () => {
    const { shop, webhook } = await createLoggedStore();
    await fillOldLog(shop, webhook, { count: 40, body: orderBody });
    const before = await readFeedOf(shop);
    let second: Promise<unknown> | undefined;
    // The second sweep begins and ends while the first one waits for the bucket, and sees one event
    // less.
    const ARCHIVE = archiveWith({
      put: async (...input) => {
        await env.STORE_0.prepare(
          `delete from webhook_events where id = (
            select id from webhook_events where store_id = ? order by id limit 1 offset 1)`,
        )
          .bind(shop.id)
          .run();
        await (second ??= archive());
        return env.ARCHIVE.put(...input);
      },
    });
    await archive({ ARCHIVE });
    const [status, rows] = before;
    const expected = (rows as unknown[]).filter((_row, index) => index !== 1);
    expect(await readFeedOf(shop)).toEqual([status, expected]);
    expect(await objectsOf(shop)).toHaveLength(1);
  });

  it('keeps an object for 30 days after its events, for a database that is restored to a time before', async () => {
    const { shop, webhook } = await createLoggedStore();
    await fillOldLog(shop, webhook, { count: 3 });
    await archive();
    const [object] = await objectsOf(shop);
    await env.STORE_0.prepare('delete from webhook_events where store_id = ?').bind(shop.id).run();
    // The events are ten days old, and are kept for 30.
    for (const days of [21, 50]) {
      await deleteObjects(sweepContextAt(Date.now() + days * day));
      expect(await env.ARCHIVE.head(object!.key)).not.toBeNull();
    }
    await deleteObjects(sweepContextAt(Date.now() + 51 * day));
    expect(await env.ARCHIVE.head(object!.key)).toBeNull();
  });

  it('deletes an object when all its events have been purged, in the bucket first', async () => {
    const { shop, webhook } = await createLoggedStore();
    await fillOldLog(shop, webhook, { count: 3 });
    await archive();
    const [object] = await objectsOf(shop);
    const at = Date.now() + 51 * day;
    const stored = await env.ARCHIVE.head(object!.key);
    await deleteObjects(sweepContextAt(at));
    // Its events are still there. So it was stored anew, because the bucket deletes old objects.
    const renewed = await env.ARCHIVE.head(object!.key);
    expect([renewed?.size, renewed?.etag]).toEqual([stored?.size, stored?.etag]);
    expect(renewed?.version).not.toBe(stored?.version);
    expect(await objectsOf(shop)).toHaveLength(1);
    await env.STORE_0.prepare('delete from webhook_events where store_id = ?').bind(shop.id).run();
    const failing = {
      ...env,
      ARCHIVE: archiveWith({ delete: () => Promise.reject(new Error('down')) }),
    };
    const again = at + day + hour;
    await expect(deleteObjects({ ...sweepContextAt(again), env: failing })).rejects.toThrow('down');
    expect(await objectsOf(shop)).toHaveLength(1);
    await deleteObjects(sweepContextAt(again));
    expect(await objectsOf(shop)).toEqual([]);
    expect(await env.ARCHIVE.head(object!.key)).toBeNull();
  });
});
