import { eq, sql } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { computedNumber } from '../../../src/data/queries/relations.ts';
import { brands } from '../../../src/data/schema/store/catalog-tables.ts';
import { customizations } from '../../../src/data/schema/store/product-extras-tables.ts';
import { databaseOf } from '../../support/fixtures/shards.ts';
import { openStoreDb } from '../../support/fixtures/store-db.ts';
import { createTestStore } from '../../support/fixtures/store.ts';

afterEach(() => vi.restoreAllMocks());

describe('the text of a statement', () => {
  it('is built once for reading, listing and creating records, whatever their values', async () => {
    const { api } = await createTestStore();
    const use = async (name: string) => {
      const { body } = await api('POST /catalog/brands', { name, active: true });
      await api(`GET /catalog/brands/${body.data.id}`);
      await api('GET /catalog/brands?page=1&orderBy=name&sortedBy=desc');
    };
    await use('first');
    const build = vi.spyOn(SQLiteAsyncDialect.prototype, 'sqlToQuery');
    await use('second');
    expect(build).not.toHaveBeenCalled();
  });

  it('is built once for records with relations, from their second use on', async () => {
    const { api } = await createTestStore();
    const brand = await api('POST /catalog/brands', { name: 'Marca', active: true });
    const product = { name: 'Camiseta', simple: true, active: true, brand_id: brand.body.data.id };
    const { body } = await api('POST /catalog/products', product);
    const use = async () => {
      const one = await api(`GET /catalog/products/${body.data.id}?include=skus,brand`);
      const list = await api('GET /catalog/products?include=skus,brand');
      expect(one.body.data.skus).toEqual({ data: [] });
      expect(list.body.data[0].brand.data).toMatchObject({ name: 'Marca', active: true });
    };
    await use();
    await use();
    const build = vi.spyOn(SQLiteAsyncDialect.prototype, 'sqlToQuery');
    await use();
    expect(build).not.toHaveBeenCalled();
    const other = await api(`GET /catalog/products/${body.data.id}?include=brand`);
    expect(other.body.data).not.toHaveProperty('skus');
  });

  it('differs for records with other columns and for rows with computed values', async () => {
    const db = openStoreDb(await createTestStore());
    const first = { name: 'Gravura', price: 100, type: 'text' as const, required: false };
    const columns = { ...first, max_chars: 10, values: ['a', 'b'] };
    const [[without], [within], [twice]] = await db.batch([
      db.insertStatement(customizations, columns),
      db.insertStatement(customizations, { ...columns, required: true, description: 'Texto' }),
      db.select(customizations, {
        where: eq(customizations.description, 'Texto'),
        extras: { twice: computedNumber(sql`2 * ${customizations.price}`) },
      }),
    ]);
    expect(without).toMatchObject({ ...columns, description: null, created_at: db.now });
    expect(within).toMatchObject({ ...columns, required: true, description: 'Texto' });
    expect(twice).toEqual({ ...within, twice: 200 });
  });

  it('returns rows as Drizzle decodes them, without what only the database uses', async () => {
    const { api, ...store } = await createTestStore();
    const { body } = await api('POST /catalog/brands', { name: 'a', active: false, featured: 1 });
    const db = openStoreDb({ api, ...store });
    const [[own], byDrizzle] = await Promise.all([
      db.batch([db.selectOne(brands, body.data.id)]),
      openDatabase(databaseOf(store)).select().from(brands).where(eq(brands.id, body.data.id)),
    ]);
    const [{ store_id, name_key, name_folded, ...shown } = {}] = byDrizzle as Record<
      string,
      unknown
    >[];
    expect([store_id, name_key, name_folded]).toEqual([db.store.id, 'a', 'a']);
    expect(own).toEqual([shown]);
    expect(own[0]).toMatchObject({ active: false, featured: true, logo_url: null });
  });
});
