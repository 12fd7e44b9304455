/**
 * The texts that lists search for a part of them, in tables that grow with a store. Triggers keep
 * their trigrams (all runs of three characters) in the virtual table `text_index`, one row a record
 * (`drizzle/text-index.ts`). Other tables are scanned.
 */
interface IndexedTable {
  /** The row of a record in `text_index` is `id * kindsPerId + kind`. */
  kind: number;
  /** Each text by the letter that marks its trigrams. */
  texts: Readonly<Record<string, string>>;
  /** The columns whose change changes a text. */
  sources: readonly string[];
  /** The letter of the text that holds a searched column, perhaps beside others. */
  letters: Readonly<Record<string, string>>;
  /** The only text may be null; such a record has no row. */
  isOptional?: true;
}

export const kindsPerId = 8;

export const indexedTables: Readonly<Record<string, IndexedTable>> = {
  products: {
    kind: 0,
    texts: { n: 'name_folded', s: 'slug', k: 'sku_folded' },
    sources: ['name_folded', 'slug', 'sku_folded'],
    letters: { name: 'n', slug: 's', sku: 'k' },
  },
  brands: {
    kind: 1,
    texts: { n: 'name_folded' },
    sources: ['name_folded'],
    letters: { name: 'n' },
  },
  customers: {
    kind: 2,
    texts: { n: 'full_name', e: 'email_folded' },
    sources: ['first_name_folded', 'last_name_folded', 'email_folded'],
    letters: { first_name: 'n', last_name: 'n', full_name: 'n', email: 'e' },
  },
  orders: {
    kind: 3,
    texts: { n: 'number', t: 'track_code_folded' },
    sources: ['number', 'track_code_folded'],
    letters: { number: 'n', track_code: 't' },
  },
  product_comments: {
    kind: 4,
    texts: { n: 'name_folded', e: 'email_folded' },
    sources: ['name_folded', 'email_folded'],
    letters: { name: 'n', email: 'e' },
  },
  carts: {
    kind: 5,
    texts: { e: 'email_folded' },
    sources: ['email_folded'],
    letters: { email: 'e' },
    isOptional: true,
  },
};
