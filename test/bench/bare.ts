/**
 * The baseline of `requests.ts`: a Worker that reads and writes the same rows as the four measured
 * operations, guard included, without a framework, authentication, validation, serialization or
 * log. The guard is always a statement of its own, so that figures compare with former ones.
 */
export default {
  async fetch(request: Request, { STORE_0 }: { STORE_0: D1Database }): Promise<Response> {
    const { pathname } = new URL(request.url);
    const id = Number(pathname.split('/')[5] ?? 0);
    /** The guard that runs first in every batch of a store. */
    const guard = (state: number) =>
      STORE_0.prepare(
        `select coalesce(placements.epoch, json_extract('{}', 'placement')) as epoch from (select 1) left join placements on placements.store_id = ? and placements.state <= ?`,
      ).bind(1, state);
    const total = (kind: string) =>
      STORE_0.prepare('select "total" from "totals" where ("store_id" = ? and "kind" = ?)').bind(
        1,
        kind,
      );
    if (request.method === 'POST') {
      const { name } = await request.json<{ name: string }>();
      const now = Date.now();
      const folded = name.toLowerCase();
      const [, inserted] = await STORE_0.batch([
        guard(0),
        STORE_0.prepare(
          `insert into "brands" ("id", "store_id", "name", "name_key", "name_folded", "active", "featured", "description", "logo_url", "created_at", "updated_at")
           values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *`,
        ).bind(1, name, folded, folded, 1, 0, null, null, now, now),
      ]);
      return Response.json({ data: inserted?.results[0] }, { status: 201 });
    }
    if (id > 0) {
      const [, found] = await STORE_0.batch([
        guard(1),
        STORE_0.prepare('select * from "brands" where ("store_id" = ? and "id" = ?)').bind(1, id),
      ]);
      return Response.json(found?.results[0]);
    }
    if (pathname.endsWith('/products')) {
      const [, rows, totals] = await STORE_0.batch<Record<string, string>>([
        guard(1),
        STORE_0.prepare(productPage).bind(1, 10),
        total('products'),
      ]);
      const data = rows?.results.map(({ skus = '', brand = '', ...product }) => ({
        ...product,
        skus: JSON.parse(skus) as object,
        brand: JSON.parse(brand) as object,
      }));
      return Response.json({ data, total: totals?.results[0] });
    }
    const [, rows, totals] = await STORE_0.batch([
      guard(1),
      STORE_0.prepare(
        'select * from "brands" where "store_id" = ? order by "id" asc limit ? offset ?',
      ).bind(1, 10, 0),
      total('brands'),
    ]);
    return Response.json({ data: rows?.results, total: totals?.results[0] });
  },
};

const objectOf = (record: string, names: string) =>
  `json_object(${names
    .split(' ')
    .map((name) => `'${name}', ${record}.${name}`)
    .join(', ')})`;

const skuColumns =
  'id product_id sku title barcode erp_id blocked_sale quantity_managed price_cost price_sale price_discount weight height width length availability';

/** The last products with their SKUs, the stock of each, and the brand. */
const productPage = `
  select id, revision, active, searchable, simple, is_digital, custom_shipping, name, slug, sku, erp_id, ncm, description,
    brand_id, seller_id, affiliation_id, priority, warranty, rating, relevance, gift_value, shipping_price,
    redirect_url_card, redirect_url_billet, created_at, updated_at,
    (select json_group_array(json(record)) from (
      select json_set(${objectOf('skus', skuColumns)}, '$.variations', json(skus.variations), '$.created_at', skus.created_at,
        '$.updated_at', skus.updated_at, '$.total_in_stock', coalesce((select sum(quantity - reserved) from stocks
        where sku_id = skus.id), 0)) as record
      from skus where skus.product_id = products.id order by skus.id limit 100)) as skus,
    coalesce((select ${objectOf('brands', 'id name active featured description logo_url created_at updated_at')}
      from brands where brands.id = products.brand_id), 'null') as brand
  from products where store_id = ? order by id desc limit ?`;
