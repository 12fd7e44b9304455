import { env } from 'cloudflare:workers';
import { getTableColumns } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { categories } from '../../../src/data/schema/store/categories-tables.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import '../../support/fixtures/first-shard.ts';

/** Four bytes each. */
const heavy = (length: number) => '🏷'.repeat(length);
const heavyUrl = (path: string) => `https://cdn.test/${path}/${'x'.repeat(2_000)}`;

/** A category with every text as long as it may be. */
const category = {
  active: true,
  name: heavy(255),
  slug: 'a'.repeat(250),
  description: heavy(10_000),
  seo_title: heavy(255),
  seo_keywords: heavy(1_000),
  seo_description: heavy(1_000),
  external_url: heavyUrl('external'),
  canonical_url: heavyUrl('canonical'),
  category_cover: heavyUrl('cover'),
  ml_category: heavy(100),
};

/**
 * Creates a category and copies it, so that a product has as many of them as it may have. Returns
 * all ids.
 */
async function createCategories({ id, api }: TestStore, count: number): Promise<number[]> {
  const { body } = await api('POST /catalog/categories', category);
  const columns = Object.values(getTableColumns(categories)).filter(
    (column) => column.generated === undefined && column.name !== 'id',
  );
  const values = columns.map(({ name }) => (name === 'slug' ? `slug || '-' || n.i` : `"${name}"`));
  const copies = `with recursive n(i) as (select 2 union all select i + 1 from n where i < ?)
    insert into categories (${columns.map(({ name }) => `"${name}"`).join()})
    select ${values.join()} from categories, n where id = ?`;
  await env.STORE_0.prepare(copies).bind(count, body.id).run();
  const { results } = await env.STORE_0.prepare('select id from categories where store_id = ?')
    .bind(id)
    .all<{ id: number }>();
  return results.map((row) => row.id);
}

describe('a product with 100 categories of 60 KB each', () => {
  it('is created with 201, updated with 200 and deleted with 200, each with its event', async () => {
    const store = await createTestStore();
    await subscribeEndpoint(store, ['product.created', 'product.updated', 'product.deleted']);
    const brand = { active: true, name: heavy(255), description: heavy(10_000) };
    const { body: created } = await store.api('POST /catalog/brands', brand);
    const product = {
      name: heavy(255),
      simple: true,
      active: true,
      brand_id: created.data.id,
      description: heavy(10_000),
      categories_ids: await createCategories(store, 100),
      images: Array.from({ length: 20 }, (_, index) => ({
        url: heavyUrl(`image-${index}`),
        alt: heavy(255),
      })),
    };
    const { status, body } = await store.api('POST /catalog/products', product);
    expect(status).toBe(201);
    const path = `/catalog/products/${body.data?.id ?? body.id}`;
    expect((await store.api(`PUT ${path}`, { active: false })).status).toBe(200);
    expect((await store.api(`DELETE ${path}`)).status).toBe(200);

    const events = await recordedEvents(store);
    expect(events.map(({ event }) => event)).toEqual([
      'product.created',
      'product.updated',
      'product.deleted',
    ]);
    for (const event of events) {
      const bytes = new TextEncoder().encode(JSON.stringify(event)).length;
      // A fifth of what a row holds.
      expect(bytes).toBeLessThan(400_000);
      const { categories: sent } = event.resource as unknown as { categories: { data: object[] } };
      expect(sent.data).toHaveLength(100);
      expect(Object.keys(sent.data[0]!).toSorted()).toEqual([
        'active',
        'created_at',
        'featured',
        'home',
        'id',
        'is_parent',
        'merchant_id',
        'ml_category',
        'name',
        'order',
        'parent_id',
        'price_factor',
        'slug',
        'sort_by',
        'updated_at',
      ]);
    }
  });
});
