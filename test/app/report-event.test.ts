import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { reportEvent } from '../../src/app/report-event.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { recordedEvents, subscribeEndpoint } from '../support/webhooks/recorded-events.ts';
import '../support/fixtures/first-shard.ts';

/** Reports an event and waits for the background work. */
async function report(input: unknown) {
  const context = createExecutionContext();
  const now = Date.now();
  const response = await reportEvent(env, input, {
    now,
    waitUntil: (work) => context.waitUntil(work),
  });
  await waitOnExecutionContext(context);
  return response;
}

/** Creates a store with a webhook, and returns the resource of its product.created event. */
async function shop() {
  const owner = await createTestStore();
  const brand = await owner.api('POST /catalog/brands', { name: 'Marca', active: true });
  await subscribeEndpoint(owner, ['product.created']);
  const sku = { sku: 'UM', price_sale: 59.9, quantity: 5 };
  const product = { name: 'p', simple: true, active: true, brand_id: brand.body.data.id };
  await owner.api('POST /catalog/products', { ...product, skus: [sku] });
  const [event] = await recordedEvents(owner);
  return { owner, resource: event!.resource };
}

const reportOf = ({ alias }: TestStore, resource: unknown, more: object = {}) => ({
  alias,
  event: 'product.created',
  resource,
  idempotency_key: 'one',
  ...more,
});

describe('reportEvent', () => {
  it('records the published resource unchanged and delivers it', async () => {
    const { owner, resource } = await shop();
    const response = await report(reportOf(owner, resource));
    expect(response).toEqual({ ok: true, event_id: expect.stringMatching(/^evt_/) });
    const [own, theirs] = await recordedEvents(owner);
    expect(theirs).toEqual({ ...own, time: theirs?.time });
    expect(Object.keys(theirs!)).toEqual(['event', 'time', 'merchant', 'resource']);
    const { body } = await owner.api('GET /events');
    expect(body.data[1].id).toBe(response.ok && response.event_id);
  });

  it('fault 5: changes nothing for a repeated key and returns the same result, also for concurrent reports', async () => {
    const { owner, resource } = await shop();
    const sent = reportOf(owner, resource);
    const responses = await Promise.all([report(sent), report(sent), report(sent)]);
    responses.push(await report({ ...sent, resource: { ...resource, name: 'other' } }));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(await recordedEvents(owner)).toHaveLength(2);
    await report({ ...sent, idempotency_key: 'two' });
    expect(await recordedEvents(owner)).toHaveLength(3);
    const deliveries = await env.STORE_0.prepare(
      'select seq from webhook_deliveries where endpoint_id in (select id from webhook_endpoints where store_id = ?)',
    )
      .bind(owner.id)
      .all();
    expect(deliveries.results).toHaveLength(3);
  });

  it('does not share keys between stores', async () => {
    const [one, other] = [await shop(), await shop()];
    const responses = [
      await report(reportOf(one.owner, one.resource)),
      await report(reportOf(other.owner, other.resource)),
    ];
    expect(new Set(responses.map((response) => response.ok && response.event_id)).size).toBe(2);
  });

  it('stores nothing when no webhook is subscribed', async () => {
    const { resource } = await shop();
    const other = await createTestStore();
    expect(await report(reportOf(other, resource))).toEqual({ ok: true, event_id: null });
    expect(await recordedEvents(other)).toEqual([]);
  });

  it('drops fields that the published schema does not contain', async () => {
    const { owner, resource } = await shop();
    await report(reportOf(owner, { ...resource, store_id: 7, secret: 'x' }));
    const [own, theirs] = await recordedEvents(owner);
    expect(theirs?.resource).toEqual(own?.resource);
  });

  it.each<[why: string, change: (resource: object) => object, fields: string[]]>([
    ['no resource', () => ({ resource: undefined }), ['resource']],
    ['a resource that is an array', () => ({ resource: [1] }), ['resource']],
    [
      'a missing field',
      (resource) => ({ resource: { ...resource, name: undefined } }),
      ['resource.name'],
    ],
    [
      'an invalid date',
      (resource) => ({
        resource: {
          ...resource,
          created_at: { date: 'today', timezone_type: 3, timezone: 'America/Sao_Paulo' },
        },
      }),
      ['resource.created_at'],
    ],
    [
      'a relation of another shape',
      (resource) => ({ resource: { ...resource, skus: { data: [{}] } } }),
      ['resource.skus.data.0.id'],
    ],
    [
      'a resource above the size limit',
      (resource) => ({ resource: { ...resource, description: 'x'.repeat(2 ** 20) } }),
      ['resource'],
    ],
    ['an unknown event', () => ({ event: 'product.painted' }), ['event']],
    ['an unknown store', () => ({ alias: 'unknown-alias' }), ['alias']],
    ['no key', () => ({ idempotency_key: undefined }), ['idempotency_key']],
    ['an empty key', () => ({ idempotency_key: '' }), ['idempotency_key']],
    ['a key that is not a string', () => ({ idempotency_key: 7 }), ['idempotency_key']],
  ])('rejects %s and names the field', async (_why, change, fields) => {
    const { owner, resource } = await shop();
    const response = await report(reportOf(owner, resource, change(resource)));
    expect(response.ok).toBe(false);
    expect(Object.keys(response.ok ? {} : response.errors)).toEqual(expect.arrayContaining(fields));
    expect(await recordedEvents(owner)).toHaveLength(1);
  });

  it('rejects an inactive store', async () => {
    const { resource } = await shop();
    const closed = await createTestStore({ active: false });
    expect(await report(reportOf(closed, resource))).toMatchObject({ ok: false });
  });

  it.each([undefined, null, 7, 'text', [], {}])(
    'returns errors for %s and never throws',
    async (sent) => {
      expect(await report(sent)).toMatchObject({ ok: false });
    },
  );
});
