import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventMeanings } from '../../src/data/grants/event-catalogue.ts';
import { sampleCustomer } from '../support/fixtures/sample-data.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { cnpjNumbers, cpfNumbers, phoneNumbers } from './brazilian-documents.ts';

const text = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: max })
    // Texts that are empty after cleaning are invalid, which another property tests.
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
  events: fc.subarray(Object.keys(eventMeanings), { minLength: 1 }),
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

const slug = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9 _.-]{0,30}$/);
const int = (max: number) => fc.nat({ max });
const percent = int(1_000_000).map((parts) => parts / 10_000);
const colour = fc.stringMatching(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/);
const email = fc.stringMatching(/^[a-zA-Z0-9]{1,12}(\.[a-z0-9]{1,8})?@[a-z]{1,9}\.test$/);

/** A local time, far from the present. */
const time = (from: number, to: number) =>
  fc
    .tuple(fc.integer({ min: from, max: to }), ...[12, 28, 24, 60, 60].map((max) => int(max - 1)))
    .map(([year, ...parts]) => {
      const [month, day, hour, minute, second] = parts.map((part) => `${part}`.padStart(2, '0'));
      return `${year}-${`${Number(month) + 1}`.padStart(2, '0')}-${`${Number(day) + 1}`.padStart(2, '0')} ${hour}:${minute}:${second}`;
    });
const period = {
  start_at: orNull(time(2001, 2009)),
  end_at: fc.oneof(time(2010, 2019), time(2050, 2080)),
  stopwatch: fc.constantFrom(null, 'daily', 'period'),
};

const seo = {
  seo_title: orNull(text(100)),
  seo_keywords: orNull(text(100)),
  seo_description: orNull(text(100)),
};

const banner = fc.record(
  {
    name: text(60),
    active: bool,
    image_url: url,
    mobile_image_url: orNull(url),
    link: orNull(url),
    slug,
    type: fc.constantFrom('image', 'video', 'full-width'),
    home: bool,
    ml_category: orNull(text(60)),
    ...period,
  },
  { requiredKeys: ['name', 'active', 'image_url', 'end_at'] },
);

const category = fc.record(
  {
    active: bool,
    name: text(60),
    slug,
    featured: bool,
    home: bool,
    description: orNull(text(200)),
    price_factor: fc.integer({ min: 1, max: 10_000_000 }).map((parts) => parts / 10_000),
    ...seo,
    external_url: orNull(url),
    canonical_url: orNull(url),
    order: int(1_000_000),
    sort_by: fc.constantFrom('relevance', 'price', 'newest_first'),
    category_cover: orNull(url),
    ml_category: orNull(text(60)),
  },
  { requiredKeys: ['active', 'name'] },
);

const collection = fc.record(
  {
    active: bool,
    name: text(60),
    slug,
    description: orNull(text(200)),
    show_banners: bool,
    featured: bool,
    home: bool,
    is_promotional: bool,
    visible_products: int(1000),
    ...seo,
    ...period,
    // Without one, the response has a generated URL, which would be stored when written back.
    url,
  },
  { requiredKeys: ['active', 'name', 'url', 'end_at'] },
);

const feed = fc.record({
  service: fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9_-]{0,20}$/),
  name: text(60),
  url,
});

const filterValue = fc.record(
  { name: text(60), color: orNull(colour), image_url: orNull(url) },
  { requiredKeys: ['name'] },
);

const filter = fc.record(
  {
    name: text(60),
    searchable: bool,
    navigation: bool,
    values: fc.array(filterValue, { maxLength: 1 }),
  },
  { requiredKeys: ['name'] },
);

const item = fc.oneof(
  fc.record(
    { quantity: fc.integer({ min: 1, max: 10_000 }), price: orNull(money), discount: percent },
    { requiredKeys: ['quantity'] },
  ),
  fc.record({ quantity: fc.constant(1), price_type: fc.constant('fixed'), price: money }),
  fc.record({ quantity: fc.constant(2), price_type: fc.constant('discount'), discount: percent }),
);

const bundle = fc.record(
  {
    name: text(60),
    image_url: url,
    items: item.map((one) => [one]),
    active: bool,
    modifiable: bool,
    custom_shipping: bool,
    shipping_type: fc.constantFrom('default', 'fixed', 'free'),
    shipping_price: money,
    shipping_days: orNull(int(365)),
  },
  { requiredKeys: ['name', 'image_url', 'items', 'shipping_price'] },
);

const customization = fc.record(
  {
    name: text(60),
    price: money,
    type: fc.constantFrom('text', 'textarea', 'select'),
    required: bool,
    max_chars: int(10_000),
    description: orNull(text(200)),
    values: fc.uniqueArray(int(1e6).map(String), { minLength: 1, maxLength: 5 }),
  },
  { requiredKeys: ['name', 'price', 'type', 'required', 'max_chars', 'values'] },
);

const comment = fc.record({ approved: bool, name: text(60), email, message: text(200) });

const named = fc.record({
  last_name: orNull(text(60)),
  phone: orNull(phoneNumbers),
  email,
  first_name: text(60),
});

const customer = fc.oneof(
  fc.tuple(named, cpfNumbers).map(([who, one]) => ({ ...who, type: 'f', cpf: one })),
  fc.tuple(named, cnpjNumbers).map(([who, one]) => ({ ...who, type: 'j', cnpj: one, cpf: '' })),
);

const address = fc.record(
  {
    receiver: text(60),
    street: text(60),
    number: text(10),
    complement: orNull(text(60)),
    neighborhood: text(60),
    city: text(60),
    zipcode: fc.constantFrom('01310-100', '69900000'),
    state: fc.constantFrom('SP', 'ac'),
    country: fc.constantFrom('BR', 'br'),
  },
  {
    requiredKeys: ['receiver', 'street', 'number', 'neighborhood', 'city', 'zipcode', 'state'],
  },
);

const installment = fc.record(
  {
    installment: fc.integer({ min: 1, max: 24 }),
    tax: percent,
    percent_discount: percent,
    start_at: orNull(time(2001, 2009)),
    end_at: orNull(time(2010, 2080)),
  },
  { requiredKeys: ['installment'] },
);

const paymentConfiguration = fc.record(
  {
    active: bool,
    default_display: bool,
    spread: bool,
    ignore_promotions: bool,
    accumulate_discount: bool,
    percent_discount: int(10_000).map((parts) => parts / 100),
    min_installment_value: money,
    max_installments_without_tax: fc.integer({ min: 1, max: 24 }),
    billet_expire_days: fc.integer({ min: 1, max: 60 }),
    days_to_cancel_unpaid_billets: fc.integer({ min: 1, max: 90 }),
    hours_to_cancel_unpaid_pix: fc.integer({ min: 1, max: 720 }),
    billet_instructions: orNull(text(200)),
    installments: fc.uniqueArray(installment, {
      maxLength: 5,
      selector: (one) => one.installment,
    }),
  },
  { requiredKeys: [] },
);

const guest = fc.record({
  name: orNull(text(60)),
  email: orNull(email),
  phone: orNull(fc.stringMatching(/^\+?[0-9]{8,15}$/)),
});

const cart = fc
  .record({
    items: int(9999).map((quantity) => [{ quantity: quantity + 1 }]),
    tracking_data: orNull(guest),
    shipping: fc.record({ service: orNull(text(60)), value: money }),
  })
  .map(({ tracking_data: left, ...one }) => ({
    ...one,
    // A guest without any data is stored as null.
    tracking_data: left && Object.values(left).some((value) => value !== null) ? left : null,
  }));

type Api = Awaited<ReturnType<typeof createTestStore>>['api'];
type Fields = Record<string, unknown>;

interface ResourceCase {
  /** Creates the parent of the records. Returns the end of their path. */
  createParent?: (api: Api) => Promise<string>;
  /** Table of the records, to check that `updated_at` does not change. */
  table: string;
  /** Creates the records that a body refers to. Returns the fields that refer to them. */
  createReferences?: (api: Api, body: Fields) => Promise<Fields>;
  /** Fields that only the response of POST has. */
  ignored?: readonly string[];
  /** Converts a response to a request body. */
  toRequest?: (read: Fields) => Fields;
}

/**
 * Checks that GET returns what POST stored, and that writing it back changes nothing, not even
 * `updated_at`.
 */
async function checkRoundTrip(root: string, body: Fields, resource: ResourceCase) {
  const {
    table,
    createParent,
    createReferences,
    ignored = [],
    toRequest = (read) => read,
  } = resource;
  const { api } = await createTestStore({ shard: 1 });
  const path = `${root}${(await createParent?.(api)) ?? ''}`;
  const created = await api(`POST ${path}`, { ...body, ...(await createReferences?.(api, body)) });
  expect(created.status, JSON.stringify(created.body)).toBeLessThan(300);
  const createdRecord = recordOf(created.body);
  for (const name of ignored) delete createdRecord[name];
  const recordPath = `${path}/${String(createdRecord.id)}`;
  const read = recordOf((await api(`GET ${recordPath}`)).body);
  expect(read).toMatchObject(createdRecord);
  const updated = await api(`PUT ${recordPath}`, toRequest(read));
  expect(updated.status, JSON.stringify(updated.body)).toBe(200);
  expect(read).toMatchObject(recordOf(updated.body));
  expect(updated.headers.get('X-Warning')).toBeNull();
  expect(recordOf((await api(`GET ${recordPath}`)).body)).toEqual(read);
  const timestamps = env.STORE_1.prepare(
    `select created_at, updated_at from ${table} where id = ?`,
  );
  const stored = await timestamps.bind(createdRecord.id).first();
  expect(stored?.updated_at).toBe(stored?.created_at);
}

/** The record of a response: bare, in `data`, or the one element of `data`. */
function recordOf(body: Fields): Fields {
  const { data = body } = body;
  return { ...((Array.isArray(data) ? data[0] : data) as Fields) };
}

async function createRecord(api: Api, path: string, body: Fields): Promise<number> {
  return recordOf((await api(`POST ${path}`, body)).body).id as number;
}

const brandOf = async (api: Api) => ({
  brand_id: await createRecord(api, '/catalog/brands', { name: 'Marca', active: true }),
});

async function productOf(api: Api) {
  const body = { name: 'Produto', simple: true, active: true, ...(await brandOf(api)) };
  return { product_id: await createRecord(api, '/catalog/products', body) };
}

async function bannerOf(api: Api) {
  const body = { name: 'Vitrine', active: true, image_url: 'https://loja.test/a.png' };
  return { banners_ids: [await createRecord(api, '/catalog/banners', body)] };
}

async function itemsOf(api: Api, { items }: Fields) {
  const { product_id: id } = await productOf(api);
  const sku = { sku: 'UM', title: 'Um', price_cost: 1, price_sale: 2, weight: 1, quantity: 1 };
  const sku_id = await createRecord(api, `/catalog/products/${id}/skus`, sku);
  return { items: (items as Fields[]).map((one) => ({ ...one, sku_id })) };
}

async function restrictionsOf(api: Api) {
  const { product_id: id } = await productOf(api);
  return {
    products_ids: [id],
    restrictions: { include: { products_ids: [id] } },
    ...(await bannerOf(api)),
  };
}

/** Asserts the property for one resource. */
const expectRoundTrips = (
  path: string,
  body: fc.Arbitrary<object>,
  resource: ResourceCase,
  runs = 30,
) =>
  fc.assert(
    fc.asyncProperty(body, (sent) => checkRoundTrip(path, { ...sent }, resource)),
    { numRuns: runs },
  );

describe('a record that is read and written back stays unchanged in', () => {
  it('brands', () => expectRoundTrips('/catalog/brands', brand, { table: 'brands' }, 60));

  it('products', () =>
    expectRoundTrips(
      '/catalog/products',
      product,
      { table: 'products', createReferences: brandOf },
      40,
    ));

  it('webhooks', () =>
    expectRoundTrips('/webhooks', webhook, {
      table: 'webhook_endpoints',
      ignored: ['secret_key'],
    }));

  it('banners', () =>
    expectRoundTrips('/catalog/banners', banner, {
      table: 'banners',
      createReferences: productOf,
    }));

  it('categories', () =>
    expectRoundTrips('/catalog/categories', category, {
      table: 'categories',
      createReferences: bannerOf,
    }));

  it('collections', () =>
    expectRoundTrips('/catalog/collections', collection, {
      table: 'collections',
      createReferences: restrictionsOf,
    }));

  it('feeds', () => expectRoundTrips('/catalog/feeds', feed, { table: 'feeds' }));

  it('filters', () => expectRoundTrips('/catalog/filters', filter, { table: 'filters' }));

  it('filter values', () =>
    expectRoundTrips('/catalog/filters', filterValue, {
      table: 'filter_values',
      createParent: async (api) =>
        `/${await createRecord(api, '/catalog/filters', { name: 'Cor' })}/values`,
    }));

  it('bundles', () =>
    expectRoundTrips('/catalog/bundles', bundle, {
      table: 'bundles',
      createReferences: itemsOf,
      toRequest: ({ items, ...read }) => ({ ...read, items: (items as { data: Fields[] }).data }),
    }));

  it('customizations', () =>
    expectRoundTrips('/catalog/customizations', customization, { table: 'customizations' }));

  it('comments', () =>
    expectRoundTrips('/catalog/comments', comment, {
      table: 'product_comments',
      createReferences: productOf,
    }));

  it('carts', () =>
    expectRoundTrips('/checkout/carts', cart, { table: 'carts', createReferences: itemsOf }));

  it('customers', () => expectRoundTrips('/customers', customer, { table: 'customers' }));

  it('addresses', () =>
    expectRoundTrips('/customers', address, {
      table: 'addresses',
      createParent: async (api) =>
        `/${await createRecord(api, '/customers', sampleCustomer)}/addresses`,
    }));

  it('payment configurations', async () => {
    const { api } = await createTestStore({ shard: 1, withPayments: true });
    const [payment] = (await api('GET /checkout/payments')).body.data;
    const recordPath = `/checkout/payments/${payment.id}/config/${payment.config_id}`;
    await fc.assert(
      fc.asyncProperty(paymentConfiguration, async (sent) => {
        const written = await api(`PUT ${recordPath}`, sent);
        expect(written.status, JSON.stringify(written.body)).toBe(200);
        const { body: read } = await api(`GET ${recordPath}`);
        expect(read).toEqual(written.body);
        if (sent.installments) {
          expect(read.installments.data.map(({ installment }: Fields) => installment)).toEqual(
            sent.installments.map(({ installment }) => installment).toSorted((a, b) => a - b),
          );
        }
        await env.STORE_1.prepare('update payment_configurations set updated_at = 1 where id = ?')
          .bind(payment.config_id)
          .run();
        const updated = await api(`PUT ${recordPath}`, read);
        expect(updated.headers.get('X-Warning')).toBeNull();
        expect(updated.body).toEqual({ ...read, updated_at: '1970-01-01T00:00:00Z' });
      }),
      { numRuns: 40 },
    );
  });
});
