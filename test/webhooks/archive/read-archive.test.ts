import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { findDelivery } from '../../../src/webhooks/log/delivery-record.ts';
import { callWithBindings, measureRequest } from '../../support/api/measure.ts';
import { openStoreDb } from '../../support/fixtures/store-db.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  archive,
  archiveWith,
  countingArchive,
  bodyOfLength,
  fillOldLog,
  objectsOf,
} from '../../support/webhooks/archive.ts';
import { createTestWebhook, deliveryLogOf } from '../../support/webhooks/delivery-log.ts';

/** Creates a store whose log has `count` deliveries, all with bodies in the archive. */
async function createArchivedStore(count: number, body?: string) {
  const shop = await createTestStore();
  const webhook = await createTestWebhook(shop);
  await fillOldLog(shop, webhook, { count, ...(body !== undefined && { body }) });
  const feed = await shop.api('GET /events?limit=100');
  expect(await archive()).toBeGreaterThan(0);
  return { shop, webhook, feed: feed.body };
}

const orderBody = bodyOfLength(3_200);

describe('GET /{alias}/events', () => {
  it('returns 200 with 100 archived events in one round trip and at most three objects', async () => {
    const { shop, feed } = await createArchivedStore(330, orderBody);
    const { bucket, reads } = countingArchive();
    const first = await callWithBindings(shop, 'GET /events?limit=100', undefined, {
      ARCHIVE: bucket,
    });
    expect([first.status, first.body]).toEqual([200, feed]);
    expect(reads.count).toBe(1);
    const last = feed.data.at(-1).id;
    const path = `GET /events?limit=100&after_id=${last}`;
    const { data } = await measureRequest(shop, path);
    expect(data.roundTrips).toBe(1);
    reads.count = 0;
    let page = await callWithBindings(shop, path, undefined, { ARCHIVE: bucket });
    const next = `${path.split('&')[0]}&after_id=${page.body.data.at(-1).id}`;
    page = await callWithBindings(shop, next, undefined, { ARCHIVE: bucket });
    expect(page.body.data).toHaveLength(100);
    expect(reads.count).toBeLessThanOrEqual(4);
  });

  it.each([
    ['cannot be reached', () => Promise.reject(new Error('R2: internal error'))],
    ['has lost the object', () => Promise.resolve(null)],
  ])(
    'returns 503 with Retry-After, and no event without its body, when the archive %s',
    async (_, get) => {
      const { shop } = await createArchivedStore(3);
      const ARCHIVE = archiveWith({ get });
      const { status, headers } = await callWithBindings(shop, 'GET /events', undefined, {
        ARCHIVE,
      });
      expect([status, Number(headers.get('Retry-After')) > 0]).toEqual([503, true]);
    },
  );

  it('returns 503 instead of the body of another event', async () => {
    const { shop } = await createArchivedStore(3);
    const [object] = await objectsOf(shop);
    const text = await (await env.ARCHIVE.get(object!.key))!.text();
    await env.ARCHIVE.put(
      object!.key,
      text.replaceAll(/evt_[0-9a-f]{46}/g, (id) => id.replace(/.$/, 'f')),
    );
    expect((await shop.api('GET /events')).status).toBe(503);
  });

  it('returns 400 for a page of archived events that would be larger than an answer may be', async () => {
    const { shop } = await createArchivedStore(4, bodyOfLength(900_000));
    expect((await shop.api('GET /events')).status).toBe(400);
    expect((await shop.api('GET /events?limit=1')).status).toBe(200);
  });
});

describe('one delivery', () => {
  it('has its archived body, and reads no object for an app that may not receive the event', async () => {
    const { shop, webhook } = await createArchivedStore(3);
    const [{ seq } = { seq: 0 }] = (await deliveryLogOf(webhook)) as { seq: number }[];
    const { status, body } = await shop.api(`GET /webhooks/${webhook}/deliveries/${seq}`);
    expect([status, body.data.body]).toEqual([200, bodyOfLength()]);
    const { bucket, reads } = countingArchive();
    const owner = { clientId: null };
    const found = await findDelivery(
      openStoreDb(shop, Date.now(), { archive: bucket }),
      owner,
      webhook,
      seq,
      () => false,
    );
    expect([found?.body, found?.withheld, reads.count]).toEqual([null, 'scope', 0]);
  });
});
