import { eq, sql } from 'drizzle-orm';
import { calling, chosen, many, one } from '../../db/relations.ts';
import { productComments, products } from '../../db/schema/store.ts';
import type { Store } from '../../db/store.ts';
import type { Row } from '../../db/table.ts';
import { present as presentProduct } from '../shapes/product-reading.ts';

type Comment = Row<typeof productComments>;

const answers = calling(productComments, 'answers');
const newest = sql`(select max(newest.id) from ${productComments} as newest
  where newest.comment_id = ${productComments.id})`;

/** What is always read with a comment: its newest answer. */
export const withAnswer = { answer: one(answers, sql`${answers.id} = ${newest}`) };

const relations = {
  product: one(products, eq(products.id, productComments.product_id)),
  answers: many(answers, eq(answers.comment_id, productComments.id)),
};

/** The names that `include` knows. */
export const includes = ['product', 'answers'] as const;

/** The newest answer and the relations that a query's `include` names. */
export const included = (
  names: readonly string[],
): typeof withAnswer & Partial<typeof relations> => ({
  ...withAnswer,
  ...chosen(relations, names),
});

/** Takes the answer out of its envelope, and completes the product. */
export function present(
  store: Store,
  comment: Comment & {
    answer: { data: Comment | null };
    answers?: { data: Comment[] };
    product?: { data: Row<typeof products> | null };
  },
) {
  const { answer, product, ...row } = comment;
  return {
    ...row,
    answer: answer.data,
    ...(product && { product: { data: product.data && presentProduct(store, product.data) } }),
  };
}
