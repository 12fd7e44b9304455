import { index, integer, sqliteTable, text, type AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { products } from './catalog.ts';
import { flag, id, timestamps } from './columns.ts';

/** Comments on products; an answer is one that names the comment it answers (`comment_id`). */
export const productComments = sqliteTable(
  'product_comments',
  {
    id: id(),
    store_id: integer('store_id').notNull(),
    product_id: integer('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    comment_id: integer('comment_id').references((): AnySQLiteColumn => productComments.id, {
      onDelete: 'cascade',
    }),
    approved: flag('approved').notNull(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    email: text('email').notNull(),
    email_folded: text('email_folded').notNull(),
    message: text('message').notNull(),
    ...timestamps(),
  },
  (table) => [
    index('product_comments_store').on(table.store_id),
    index('product_comments_product').on(table.store_id, table.product_id),
    index('product_comments_product_key').on(table.product_id),
    index('product_comments_parent').on(table.store_id, table.comment_id),
    index('product_comments_parent_key').on(table.comment_id),
    index('product_comments_approved').on(table.store_id, table.approved),
    index('product_comments_name').on(table.store_id, table.name_folded),
    index('product_comments_email').on(table.store_id, table.email_folded),
    index('product_comments_created').on(table.store_id, table.created_at),
    index('product_comments_updated').on(table.store_id, table.updated_at),
  ],
);
