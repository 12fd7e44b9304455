import { sql } from 'drizzle-orm';
import { nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { inParameters } from '../../data/queries/json-parameters.ts';
import { products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { readCell } from './csv.ts';
import type { Column } from './table-lines.ts';
import { readNumber, type DecimalMark } from './table-numbers.ts';

/** The SKUs of a table as the store has them. */
export interface TableLook {
  /** Rows with a SKU of the store whose product neither an id nor a slug of the row names. */
  known: number;
  /** Rows that would change a stock, their units in the table, and those in the store. */
  stock: { rows: number; inTable: number; inStore: number };
  /**
   * Rows whose stock has changed since the table was exported, and by how many units; absent where
   * that is not known.
   */
  since?: { rows: number; units: number };
}

/** The columns that a look needs. */
const looked = ['id', 'slug', 'sku', 'quantity', 'quantity_before'] as const;

interface StoredSku {
  key: string;
  product_id: number;
  slug: string;
  quantity: number | null;
}

/** Collects the SKUs of a table row by row, and then asks the store about all of them. */
export class TableLooker {
  readonly #places: readonly number[];
  readonly #rows: string[][] = [];

  constructor(columns: readonly (Column | undefined)[]) {
    this.#places = looked.map((column) => columns.indexOf(column));
  }

  add(cells: readonly string[]): void {
    const row = this.#places.map((at) => readCell(cells[at] ?? ''));
    if (row[2] !== '') this.#rows.push(row);
  }

  /**
   * Looks for the SKUs. Also returns the product of each by the key of its name. One round trip.
   */
  async look(
    db: StoreDb,
    marks: readonly (DecimalMark | undefined)[],
  ): Promise<{ look: TableLook; productOf: Map<string, number> }> {
    const stored = await findSkus(
      db,
      this.#rows.map(([, , sku = '']) => nameKey(sku)),
    );
    const [quantityMark, beforeMark] = [3, 4].map((at) => marks[this.#places[at] ?? -1]);
    const look: TableLook = { known: 0, stock: { rows: 0, inTable: 0, inStore: 0 } };
    const since = { rows: 0, units: 0 };
    for (const [id, slug, sku = '', quantityCell = '', beforeCell = ''] of this.#rows) {
      const found = stored.get(nameKey(sku));
      if (!found) continue;
      if (id !== String(found.product_id) && slug !== found.slug) look.known += 1;
      const quantity = readNumber(quantityCell, quantityMark);
      const before = readNumber(beforeCell, beforeMark);
      const inStore = found.quantity ?? 0;
      if (before !== undefined && before !== inStore) {
        since.rows += 1;
        since.units += inStore - before;
      }
      if (quantity === undefined || quantity === inStore || quantity === before) continue;
      look.stock.rows += 1;
      look.stock.inTable += quantity;
      look.stock.inStore += inStore;
    }
    const productOf = new Map([...stored].map(([key, one]) => [key, one.product_id]));
    return { look: { ...look, ...(this.#places[4] !== -1 && { since }) }, productOf };
  }
}

async function findSkus(db: StoreDb, keys: readonly string[]): Promise<Map<string, StoredSku>> {
  if (keys.length === 0) return new Map();
  const parameters = inParameters([...new Set(keys)].map((key) => JSON.stringify(key)));
  const found = await db.batch(
    parameters.map((some) =>
      rawStatement<StoredSku>(
        db,
        sql`select ${skus.sku_key} as key, ${skus.product_id} as product_id, ${products.slug} as slug,
            ${stocks.quantity} as quantity
          from json_each(${some}) named
            cross join ${skus} on ${skus.store_id} = ${db.store.id} and ${skus.sku_key} = named.value
            cross join ${products} on ${products.id} = ${skus.product_id}
            left join ${stocks} on ${stocks.sku_id} = ${skus.id} and ${stocks.stock_id} = 1`,
      ),
    ),
  );
  return new Map(found.flat().map((sku) => [sku.key, sku]));
}
