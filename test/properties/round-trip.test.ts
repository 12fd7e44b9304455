import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanings } from '../../src/events/catalogue.ts';
import { store } from '../support/store.ts';

const text = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: max })
    // What cleaning leaves nothing of is refused, which is another property's matter.
    .filter(
      (one) => /[\p{L}\p{N}]/u.test(one) && !one.includes('<') && Array.from(one).length <= max,
    );
const url = fc.webUrl({ withQueryParameters: true });
const money = fc.integer({ min: 0, max: 9_999_999_999 }).map((cents) => cents / 100);
const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const bool = fc.constantFrom<unknown>(true, false, 1, 0, '1', '0', 'true', 'false');

const brand = fc.record(
  {
    name: text(60),
    active: bool,
    featured: bool,
    description: orNull(text(200)),
    logo_url: orNull(url),
  },
  { requiredKeys: ['name', 'active'] },
);

const webhook = fc.record({
  name: text(60),
  url: fc.constantFrom('https://receiver.example.com/a', 'https://b.example.org:8443/x?y=1'),
  events: fc.subarray(Object.keys(meanings), { minLength: 1 }),
});

const product = fc.record(
  {
    name: text(60),
    simple: bool,
    active: bool,
    description: orNull(text(200)),
    priority: fc.nat({ max: 1_000_000 }),
    gift_value: money,
    shipping_price: money,
    redirect_url_card: orNull(url),
  },
  { requiredKeys: ['name', 'simple', 'active'] },
);

/** Stored on POST, read by GET, and writing back what was read changes nothing, not even the date. */
async function survives(path: string, body: object, ignored: readonly string[] = []) {
  const { api } = await store();
  const extra = path.endsWith('/products') ? { brand_id: await brandId(api) } : {};
  const made = await api(`POST ${path}`, { ...body, ...extra });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const shown = Object.fromEntries(
    Object.entries(made.body.data).filter(([name]) => !ignored.includes(name)),
  );
  const one = `${path}/${made.body.data.id}`;
  const read = await api(`GET ${one}`);
  expect(read.body.data ?? read.body).toEqual(shown);
  const again = await api(`PUT ${one}`, shown);
  expect(again.body.data, JSON.stringify(again.body)).toEqual(shown);
  expect(again.headers.get('X-Warning')).toBeNull();
}

async function brandId(api: Awaited<ReturnType<typeof store>>['api']): Promise<number> {
  const { body } = await api('POST /catalog/brands', { name: 'Marca', active: true });
  return body.data.id;
}

describe('what was written is what is read, and can be written back', () => {
  it('brands', () =>
    fc.assert(
      fc.asyncProperty(brand, (body) => survives('/catalog/brands', body)),
      { numRuns: 100 },
    ));

  it('products', () =>
    fc.assert(
      fc.asyncProperty(product, (body) => survives('/catalog/products', body)),
      { numRuns: 60 },
    ));

  it('webhooks', () =>
    fc.assert(
      fc.asyncProperty(webhook, (body) => survives('/webhooks', body, ['secret_key'])),
      { numRuns: 40 },
    ));
});
