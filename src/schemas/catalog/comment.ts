import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { idOutput } from '../../codecs/fields/ids.ts';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { explain } from '../../codecs/meaning.ts';
import { recordTimes } from '../../codecs/time/date-time.ts';
import type { Store } from '../../db/core/store.ts';
import type { Row } from '../../db/core/table.ts';
import { aliasTable, pickRelations, toMany, toOne } from '../../db/query/relations.ts';
import { products } from '../../db/schema/store/catalog.ts';
import { productComments } from '../../db/schema/store/product-extras.ts';
import { ProductSchema, serializeProduct } from './product.ts';

const fields = {
  id: idOutput,
  product_id: z.int(),
  comment_id: z.int().nullable(),
  approved: boolOutput,
  name: z.string(),
  email: z.string(),
  message: z.string(),
  ...recordTimes,
};

const commentMeanings = {
  product_id: 'Product that is commented on; deleting it deletes the comment.',
  comment_id:
    'Comment that this record answers; null for a comment. An answer has no answers of its own.',
  approved: 'Whether the shop may show it; new comments usually wait for a moderator.',
  name: 'Who wrote it, as buyers read it.',
  email: 'Address of the author, for your reply: personal data.',
  message: 'The words of the author, as plain text with line breaks.',
};

const ProductCommentAnswerSchema = z.object(fields).meta({ id: 'ProductCommentAnswer' });

/* @__PURE__ */ explain(
  ProductCommentAnswerSchema,
  'What the shop, or another reader, replies to a comment.',
  commentMeanings,
);

/** A comment or an answer. `answer` is the newest answer to it. */
export const ProductCommentSchema = z
  .object({
    ...fields,
    answer: ProductCommentAnswerSchema.nullable(),
    product: z.object({ data: ProductSchema.nullable() }).optional(),
    answers: z.object({ data: z.array(ProductCommentAnswerSchema) }).optional(),
  })
  .meta({ id: 'ProductComment' });

/* @__PURE__ */ explain(
  ProductCommentSchema,
  'What a buyer wrote about a product, or an answer to that.',
  commentMeanings,
  {
    answer: 'The newest answer; null for a comment without one, and for an answer.',
    product: 'The product; with include=product.',
    answers: 'Up to 100 answers, by id; with include=answers.',
  },
);

type Comment = Row<typeof productComments>;

const answers = aliasTable(productComments, 'answers');
const newestAnswerId = sql`(select max(newest.id) from ${productComments} as newest
  where newest.comment_id = ${productComments.id})`;

/** The newest answer, which every response has. */
export const answerRelation = { answer: toOne(answers, sql`${answers.id} = ${newestAnswerId}`) };

const relations = {
  product: toOne(products, eq(products.id, productComments.product_id)),
  answers: toMany(answers, eq(answers.comment_id, productComments.id)),
};

export const commentIncludes = ['product', 'answers'] as const;

/** The newest answer, and the relations that `include` names. */
export const selectCommentExtras = (
  includes: readonly string[],
): typeof answerRelation & Partial<typeof relations> => ({
  ...answerRelation,
  ...pickRelations(relations, includes),
});

export function serializeComment(
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
    ...(product && { product: { data: product.data && serializeProduct(store, product.data) } }),
  };
}
