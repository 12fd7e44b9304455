/** Records per insert statement. */
const chunk = 20_000;

/** SQL of the first id of a store's records, in every table. */
const first = 'store * 1000000';

/**
 * The columns and values of each table, with a share of the records: 50 products per brand, every
 * tenth with a word of its own, ten categories per branch, every second comment a reply. `i` counts
 * from 0.
 */
const contents = {
  brands: `(id, store_id, name, name_key, name_folded, active, featured, created_at, updated_at)
    select ${first} + i, store, 'Marca ' || i, 'marca ' || i, 'marca ' || i, i % 2, 0, now, now`,
  products: `(id, store_id, active, searchable, simple, is_digital, custom_shipping, name, name_folded, slug,
      sku, sku_folded, brand_id, priority, warranty, gift_value, shipping_price, created_at, updated_at)
    select ${first} + i, store, i % 2, 1, 1, 0, 0, 'Produto ' || i || iif(i % 10 = 3, ' Listrado', ''),
      'produto ' || i || iif(i % 10 = 3, ' listrado', ''), 'produto-' || i,
      'SKU' || i, 'sku' || i, ${first} + i / 50, i % 9, 0, 0, 0, now + i, now + i`,
  categories: `(id, store_id, parent_id, active, featured, home, name, name_folded, slug, price_factor, "order",
      sort_by, created_at, updated_at)
    select ${first} + i, store, iif(i % 10 = 0, null, ${first} + i - i % 10), 1, 0, 0, 'Categoria ' || i,
      'categoria ' || i, 'categoria-' || i, 1, i, 'relevance', now, now`,
  product_comments: `(id, store_id, product_id, comment_id, approved, name, name_folded, email, email_folded, message,
      created_at, updated_at)
    select ${first} + i, store, ${first} + i - i % 2, iif(i % 2 = 0, null, ${first} + i - 1), 1, 'Ana ' || i,
      'ana ' || i, 'ana@loja.test', 'ana@loja.test', 'Bom', now, now`,
};

/**
 * The other lists have fewer records, which saves time: they are read in the same way as products.
 */
const sizeOf = (table: string, count: number) =>
  table === 'products' ? count : Math.max(Math.min(count, 1_000), Math.ceil(count / 50));

/** Adds a store to a shard, and fills it with `count` products and with other records. */
export async function fillStore(database: D1Database, store: number, count: number): Promise<void> {
  await database
    .prepare('insert or ignore into placements (store_id, works) values (?, 1)')
    .bind(store)
    .run();
  for (const [table, columns] of Object.entries(contents)) {
    const size = sizeOf(table, count);
    for (let from = 0; from < size; from += chunk) {
      const until = Math.min(from + chunk, size);
      const numbers = `with recursive n(i, store, now) as
        (select ${from}, ?1, ?2 union all select i + 1, store, now from n where i + 1 < ${until})`;
      const [names, values] = columns.split(/(?<=\))\s+(?=select)/);
      await database
        .prepare(`${numbers} insert into ${table} ${names} ${values} from n`)
        .bind(store, Date.now())
        .run();
    }
  }
}
