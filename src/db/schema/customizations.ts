import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { products } from './catalog.ts';
import { flag, id, json, timestamps } from './columns.ts';

/** What a buyer may have written on or done to a product, at a price (cents). */
export const customizations = sqliteTable(
  'customizations',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    price: integer('price').notNull(),
    description: text('description'),
    type: text('type', { enum: ['text', 'textarea', 'select'] }).notNull(),
    required: flag('required').notNull(),
    max_chars: integer('max_chars').notNull(),
    values: json<string[]>('values').notNull(),
    ...timestamps(),
  },
  (table) => [
    index('customizations_store').on(table.store_id),
    index('customizations_name').on(table.store_id, table.name_folded),
    index('customizations_type').on(table.store_id, table.type),
    index('customizations_price').on(table.store_id, table.price),
    index('customizations_required').on(table.store_id, table.required),
    index('customizations_created').on(table.store_id, table.created_at),
    index('customizations_updated').on(table.store_id, table.updated_at),
  ],
);

/** Which products offer a customization. */
export const customizationProducts = sqliteTable(
  'customization_products',
  {
    customization_id: integer('customization_id')
      .notNull()
      .references(() => customizations.id, { onDelete: 'cascade' }),
    product_id: integer('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.customization_id, table.product_id] }),
    index('customization_products_product').on(table.product_id),
  ],
);
