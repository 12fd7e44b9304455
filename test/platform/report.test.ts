import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { report } from '../../src/platform/report.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { store, type TestStore } from '../support/store.ts';

/** Reports as another Worker would, and waits for what goes on after the answer. */
async function reported(sent: unknown) {
  const context = createExecutionContext();
  const now = Date.now();
  const answer = await report(env, sent, { now, waitUntil: (work) => context.waitUntil(work) });
  await waitOnExecutionContext(context);
  return answer;
}

/** A store with a webhook, and the resource of a real product.created. */
async function shop() {
  const made = await store();
  const brand = await made.api('POST /catalog/brands', { name: 'Marca', active: true });
  await subscribe(made, ['product.created']);
  const sku = { sku: 'UM', price_sale: 59.9, quantity: 5 };
  const product = { name: 'p', simple: true, active: true, brand_id: brand.body.data.id };
  await made.api('POST /catalog/products', { ...product, skus: [sku] });
  const [event] = await eventsOf(made);
  return { made, resource: event!.resource };
}

const of = ({ alias }: TestStore, resource: unknown, more: object = {}) => ({
  alias,
  event: 'product.created',
  resource,
  idempotency_key: 'one',
  ...more,
});

describe('report', () => {
  it('records what is shown as it is shown, and delivers it', async () => {
    const { made, resource } = await shop();
    const answer = await reported(of(made, resource));
    expect(answer).toEqual({ ok: true, event_id: expect.stringMatching(/^evt_/) });
    const [own, theirs] = await eventsOf(made);
    expect(theirs).toEqual({ ...own, time: theirs?.time });
    expect(Object.keys(theirs!)).toEqual(['event', 'time', 'merchant', 'resource']);
    const { body } = await made.api('GET /events');
    expect(body.data[1].id).toBe(answer.ok && answer.event_id);
  });

  it('fault 5: does nothing for a repeated key and answers the same, also when both come at once', async () => {
    const { made, resource } = await shop();
    const sent = of(made, resource);
    const answers = await Promise.all([reported(sent), reported(sent), reported(sent)]);
    answers.push(await reported({ ...sent, resource: { ...resource, name: 'other' } }));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await eventsOf(made)).toHaveLength(2);
    await reported({ ...sent, idempotency_key: 'two' });
    expect(await eventsOf(made)).toHaveLength(3);
    const deliveries = await env.STORE_0.prepare(
      'select seq from webhook_deliveries where endpoint_id in (select id from webhook_endpoints where store_id = ?)',
    )
      .bind(made.id)
      .all();
    expect(deliveries.results).toHaveLength(3);
  });

  it('keeps keys of different stores apart', async () => {
    const [one, other] = [await shop(), await shop()];
    const answers = [
      await reported(of(one.made, one.resource)),
      await reported(of(other.made, other.resource)),
    ];
    expect(new Set(answers.map((answer) => answer.ok && answer.event_id)).size).toBe(2);
  });

  it('keeps nothing when no webhook is subscribed', async () => {
    const { resource } = await shop();
    const other = await store();
    expect(await reported(of(other, resource))).toEqual({ ok: true, event_id: null });
    expect(await eventsOf(other)).toEqual([]);
  });

  it('drops what the published schema does not name', async () => {
    const { made, resource } = await shop();
    await reported(of(made, { ...resource, store_id: 7, secret: 'x' }));
    const [own, theirs] = await eventsOf(made);
    expect(theirs?.resource).toEqual(own?.resource);
  });

  it.each<[why: string, change: (resource: object) => object, fields: string[]]>([
    ['no resource', () => ({ resource: undefined }), ['resource']],
    ['a resource that is none', () => ({ resource: [1] }), ['resource']],
    [
      'a field that is missing',
      (resource) => ({ resource: { ...resource, name: undefined } }),
      ['resource.name'],
    ],
    [
      'a date that is none',
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
      'more than a body may hold',
      (resource) => ({ resource: { ...resource, description: 'x'.repeat(2 ** 20) } }),
      ['resource'],
    ],
    ['an unknown event', () => ({ event: 'product.painted' }), ['event']],
    ['an unknown store', () => ({ alias: 'nobody-knows-it' }), ['alias']],
    ['no key', () => ({ idempotency_key: undefined }), ['idempotency_key']],
    ['an empty key', () => ({ idempotency_key: '' }), ['idempotency_key']],
    ['a key that is no text', () => ({ idempotency_key: 7 }), ['idempotency_key']],
  ])('refuses %s and names the field', async (_why, change, fields) => {
    const { made, resource } = await shop();
    const answer = await reported(of(made, resource, change(resource)));
    expect(answer.ok).toBe(false);
    expect(Object.keys(answer.ok ? {} : answer.errors)).toEqual(expect.arrayContaining(fields));
    expect(await eventsOf(made)).toHaveLength(1);
  });

  it('refuses an inactive store', async () => {
    const { resource } = await shop();
    const closed = await store({ active: false });
    expect(await reported(of(closed, resource))).toMatchObject({ ok: false });
  });

  it.each([undefined, null, 7, 'text', [], {}])(
    'answers for %s, and never throws',
    async (sent) => {
      expect(await reported(sent)).toMatchObject({ ok: false });
    },
  );
});
