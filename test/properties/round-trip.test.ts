import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanings } from '../../src/events/catalogue.ts';
import { person } from '../support/people.ts';
import { store } from '../support/store.ts';
import { cnpj, cpf, phone } from './people.ts';

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

const slug = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9 _.-]{0,30}$/);
const int = (max: number) => fc.nat({ max });
const percent = int(1_000_000).map((parts) => parts / 10_000);
const colour = fc.stringMatching(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/);
const email = fc.stringMatching(/^[a-zA-Z0-9]{1,12}(\.[a-z0-9]{1,8})?@[a-z]{1,9}\.test$/);

/** A local time, far from any moment at which this runs. */
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
    // Where there is none the made address is read, which written back would be one of its own.
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
  phone: orNull(phone),
  email,
  first_name: text(60),
});

const customer = fc.oneof(
  fc.tuple(named, cpf).map(([who, one]) => ({ ...who, type: 'f', cpf: one })),
  fc.tuple(named, cnpj).map(([who, one]) => ({ ...who, type: 'j', cnpj: one, cpf: '' })),
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
    // A guest of whom nothing is known is nobody.
    tracking_data: left && Object.values(left).some((value) => value !== null) ? left : null,
  }));

type Api = Awaited<ReturnType<typeof store>>['api'];
type Fields = Record<string, unknown>;

interface How {
  /** Makes the parent of the records and answers the end of their path. */
  under?: (api: Api) => Promise<string>;
  /** Where its records are kept, to see that the date of the last change is the very same. */
  table: string;
  /** Makes the records that a body names, and answers the fields that name them. */
  needs?: (api: Api, body: Fields) => Promise<Fields>;
  /** Fields that only POST answers. */
  ignored?: readonly string[];
  /** What was read, as it is written. */
  back?: (read: Fields) => Fields;
}

/** Stored on POST, read by GET, and writing back what was read changes nothing, not even the date. */
async function survives(root: string, body: Fields, how: How) {
  const { table, under, needs, ignored = [], back = (read) => read } = how;
  const { api } = await store({ shard: 1 });
  const path = `${root}${(await under?.(api)) ?? ''}`;
  const made = await api(`POST ${path}`, { ...body, ...(await needs?.(api, body)) });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  const shown = recordOf(made.body);
  for (const name of ignored) delete shown[name];
  const one = `${path}/${String(shown.id)}`;
  const read = recordOf((await api(`GET ${one}`)).body);
  expect(read).toMatchObject(shown);
  const again = await api(`PUT ${one}`, back(read));
  expect(again.status, JSON.stringify(again.body)).toBe(200);
  expect(read).toMatchObject(recordOf(again.body));
  expect(again.headers.get('X-Warning')).toBeNull();
  expect(recordOf((await api(`GET ${one}`)).body)).toEqual(read);
  const stamps = env.STORE_1.prepare(`select created_at, updated_at from ${table} where id = ?`);
  const kept = await stamps.bind(shown.id).first();
  expect(kept?.updated_at).toBe(kept?.created_at);
}

/** The record in an answer: bare, in `data`, or the one element of `data`. */
function recordOf(body: Fields): Fields {
  const { data = body } = body;
  return { ...((Array.isArray(data) ? data[0] : data) as Fields) };
}

async function madeId(api: Api, path: string, body: Fields): Promise<number> {
  return recordOf((await api(`POST ${path}`, body)).body).id as number;
}

const brandOf = async (api: Api) => ({
  brand_id: await madeId(api, '/catalog/brands', { name: 'Marca', active: true }),
});

async function productOf(api: Api) {
  const body = { name: 'Produto', simple: true, active: true, ...(await brandOf(api)) };
  return { product_id: await madeId(api, '/catalog/products', body) };
}

async function bannerOf(api: Api) {
  const body = { name: 'Vitrine', active: true, image_url: 'https://loja.test/a.png' };
  return { banners_ids: [await madeId(api, '/catalog/banners', body)] };
}

async function itemsOf(api: Api, { items }: Fields) {
  const { product_id: id } = await productOf(api);
  const sku = { sku: 'UM', title: 'Um', price_cost: 1, price_sale: 2, weight: 1, quantity: 1 };
  const sku_id = await madeId(api, `/catalog/products/${id}/skus`, sku);
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

/** The property of one resource; `runs` as many as its fields deserve. */
const holds = (path: string, body: fc.Arbitrary<object>, how: How, runs = 30) =>
  fc.assert(
    fc.asyncProperty(body, (sent) => survives(path, { ...sent }, how)),
    { numRuns: runs },
  );

describe('what was written is what is read, and can be written back', () => {
  it('brands', () => holds('/catalog/brands', brand, { table: 'brands' }, 60));

  it('products', () =>
    holds('/catalog/products', product, { table: 'products', needs: brandOf }, 40));

  it('webhooks', () =>
    holds('/webhooks', webhook, { table: 'webhook_endpoints', ignored: ['secret_key'] }));

  it('banners', () => holds('/catalog/banners', banner, { table: 'banners', needs: productOf }));

  it('categories', () =>
    holds('/catalog/categories', category, { table: 'categories', needs: bannerOf }));

  it('collections', () =>
    holds('/catalog/collections', collection, { table: 'collections', needs: restrictionsOf }));

  it('feeds', () => holds('/catalog/feeds', feed, { table: 'feeds' }));

  it('filters', () => holds('/catalog/filters', filter, { table: 'filters' }));

  it('filter values', () =>
    holds('/catalog/filters', filterValue, {
      table: 'filter_values',
      under: async (api) => `/${await madeId(api, '/catalog/filters', { name: 'Cor' })}/values`,
    }));

  it('bundles', () =>
    holds('/catalog/bundles', bundle, {
      table: 'bundles',
      needs: itemsOf,
      back: ({ items, ...read }) => ({ ...read, items: (items as { data: Fields[] }).data }),
    }));

  it('customizations', () =>
    holds('/catalog/customizations', customization, { table: 'customizations' }));

  it('comments', () =>
    holds('/catalog/comments', comment, { table: 'product_comments', needs: productOf }));

  it('carts', () => holds('/checkout/carts', cart, { table: 'carts', needs: itemsOf }));

  it('customers', () => holds('/customers', customer, { table: 'customers' }));

  it('addresses', () =>
    holds('/customers', address, {
      table: 'addresses',
      under: async (api) => `/${await madeId(api, '/customers', person)}/addresses`,
    }));

  it('payment configurations', async () => {
    const { api } = await store({ shard: 1, withPayments: true });
    const [payment] = (await api('GET /checkout/payments')).body.data;
    const one = `/checkout/payments/${payment.id}/config/${payment.config_id}`;
    await fc.assert(
      fc.asyncProperty(paymentConfiguration, async (sent) => {
        const written = await api(`PUT ${one}`, sent);
        expect(written.status, JSON.stringify(written.body)).toBe(200);
        const { body: read } = await api(`GET ${one}`);
        expect(read).toEqual(written.body);
        if (sent.installments) {
          expect(read.installments.data.map(({ installment }: Fields) => installment)).toEqual(
            sent.installments.map(({ installment }) => installment).toSorted((a, b) => a - b),
          );
        }
        await env.STORE_1.prepare('update payment_configurations set updated_at = 1 where id = ?')
          .bind(payment.config_id)
          .run();
        const again = await api(`PUT ${one}`, read);
        expect(again.headers.get('X-Warning')).toBeNull();
        expect(again.body).toEqual({ ...read, updated_at: '1970-01-01T00:00:00Z' });
      }),
      { numRuns: 40 },
    );
  });
});
