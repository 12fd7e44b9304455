import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { recordTimes } from '../base/codecs/fields/date-time.ts';
import { recordId, idOutput } from '../base/codecs/fields/ids.ts';
import { orNull } from '../base/codecs/fields/nullable.ts';
import { bool, boolOutput } from '../base/codecs/fields/scalars.ts';
import { email } from '../base/codecs/fields/string-formats.ts';
import { line, text } from '../base/codecs/fields/text.ts';
import { listing, recordQuery } from '../base/codecs/listing/listing.ts';
import { explain, explainBodies } from '../base/codecs/meaning.ts';
import { requestBodies } from '../base/codecs/request-bodies.ts';
import { writtenOutside } from '../base/codecs/written-outside.ts';
import { ValidationError, unknownReference, type FieldErrors } from '../base/errors.ts';
import { retryOnConflict, retryInTurns } from '../data/core/retry-contention.ts';
import { lastResult } from '../data/core/statement.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import type { Row } from '../data/core/store-table.ts';
import type { Store } from '../data/core/store.ts';
import { throwIfInvalid } from '../data/queries/references.ts';
import {
  aliasTable,
  computedNumber,
  toOne,
  pickRelations,
  toMany,
} from '../data/queries/relations.ts';
import { products } from '../data/schema/store/catalog-tables.ts';
import { productComments } from '../data/schema/store/product-extras-tables.ts';
import { explainOperations, operation } from '../http/operation.ts';
import { bareRecord, dataListOfOne, emptyObject, page } from '../http/replies.ts';
import { ProductSchema, serializeProduct } from './products/schema.ts';

const fields = {
  id: idOutput,
  product_id: z.int(),
  comment_id: z.int().nullable(),
  approved: boolOutput,
  name: writtenOutside(z.string()),
  email: writtenOutside(z.string()),
  message: writtenOutside(z.string()),
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
const ProductCommentSchema = z
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
const answerRelation = { answer: toOne(answers, sql`${answers.id} = ${newestAnswerId}`) };

const relations = {
  product: toOne(products, eq(products.id, productComments.product_id)),
  answers: toMany(answers, eq(answers.comment_id, productComments.id)),
};

const commentIncludes = ['product', 'answers'] as const;

/** The newest answer, and the relations that `include` names. */
const selectCommentExtras = (
  includes: readonly string[],
): typeof answerRelation & Partial<typeof relations> => ({
  ...answerRelation,
  ...pickRelations(relations, includes),
});

function serializeComment(
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

export const CommentRequest = requestBodies({
  required: {
    product_id: recordId(),
    approved: bool,
    name: line(100),
    email,
    message: text(5000),
  },
  optional: { comment_id: [orNull(recordId()), null] },
});

/* @__PURE__ */ explainBodies(CommentRequest, ProductCommentSchema, {
  CommentInput: 'The words of a buyer about a product, or an answer to them.',
  CommentPatch: 'The fields of a comment to change; approved decides whether the shop may show it.',
});

type NewComment = z.output<typeof CommentRequest.post>;
type CommentChanges = z.output<typeof CommentRequest.put>;

/** Creates a comment or an answer. Two round trips. */
export const createComment = (db: StoreDb, body: NewComment) =>
  retryOnConflict(async () => {
    const [product, parent] = await db.batch(selectReferences(db, body));
    assertReferencesExist(body, product, parent);
    assertAnswerable(parent[0], body.product_id);
    const newId = db.lastInsertedId(productComments);
    const [rows] = await db.batch([
      db.insertStatement(productComments, body),
      db.assert(isValidThread(newId)),
    ]);
    return rows.map((row) => ({ ...row, answer: null }))[0];
  });

/** Updates a comment or an answer. Two round trips. */
const updateComment = (db: StoreDb, id: number, body: CommentChanges) =>
  retryInTurns(db, [productComments, id], async () => {
    const [found, product, newParent] = await db.batch([
      db.selectOne(productComments, id, { parent, has_answers: hasAnswers }),
      ...selectReferences(db, body),
    ]);
    const before = found[0];
    if (!before) return undefined;
    assertReferencesExist(body, product, newParent);
    const { comment_id = before.comment_id, product_id } = body;
    if (comment_id === id) {
      throw new ValidationError({ comment_id: ['Must not be the comment itself.'] });
    }
    if (before.has_answers) assertAnswersKept(before, { comment_id, product_id });
    const nextParent =
      body.comment_id === undefined ? (before.parent.data ?? undefined) : newParent[0];
    assertAnswerable(nextParent, product_id);
    const results = await db.batch([
      db.updateStatement(productComments, eq(productComments.id, id), body),
      db.assert(isValidThread(sql`${id}`)),
      db.selectOne(productComments, id, answerRelation),
    ]);
    return lastResult(results).map((row) => serializeComment(db.store, row))[0];
  });

const parents = aliasTable(productComments, 'parents');
const parent = toOne(parents, eq(parents.id, productComments.comment_id));
const hasAnswers = computedNumber(
  sql`exists (select 1 from ${productComments} as reply where reply.comment_id = ${productComments.id})`,
);

/** Reads the product and the parent comment that a body names. */
const selectReferences = (db: StoreDb, { product_id, comment_id }: CommentChanges) =>
  [db.selectOne(products, product_id), db.selectOne(productComments, comment_id ?? 0)] as const;

/** Throws 404 for a product or a comment that the store does not have. */
function assertReferencesExist(
  { comment_id }: CommentChanges,
  product: readonly unknown[],
  parent: readonly unknown[],
) {
  const errors: FieldErrors = {
    ...(product.length === 0 && { product_id: ['No such product in this store.'] }),
    ...(comment_id && parent.length === 0 && { comment_id: ['No such comment in this store.'] }),
  };
  if (Object.keys(errors).length > 0) throw unknownReference(errors);
}

/** Throws for an answer to an answer, or to a comment on another product. */
function assertAnswerable(parent: Comment | undefined, productId: number) {
  if (parent && parent.comment_id !== null) {
    throw new ValidationError({ comment_id: ['Must be a comment, not an answer.'] });
  }
  if (parent && parent.product_id !== productId) {
    throw new ValidationError({ comment_id: ['Must be a comment on the same product.'] });
  }
}

/** Throws if a comment with answers would become an answer or move to another product. */
function assertAnswersKept(before: Comment, after: Pick<Comment, 'comment_id' | 'product_id'>) {
  const errors: FieldErrors = {
    ...(after.comment_id !== null && {
      comment_id: ['Must be null while the comment has answers.'],
    }),
    ...(after.product_id !== before.product_id && {
      product_id: ['Must not change while the comment has answers.'],
    }),
  };
  throwIfInvalid(errors);
}

/** The rules above as SQL, since a concurrent request may change the other comment. */
const isValidThread = (id: ReturnType<typeof sql>) =>
  sql`not exists (select 1 from ${productComments} as reply
    join ${productComments} as parent on parent.id = reply.comment_id
    where (reply.id = ${id} or reply.comment_id = ${id})
      and (parent.comment_id is not null or parent.product_id <> reply.product_id))`;

const commentList = listing({
  sort: ['product_id', 'approved', 'name', 'email'],
  search: { name: 'text', email: 'email', product_id: 'id', comment_id: 'id', approved: 'bool' },
  includes: commentIncludes,
  parents: 'comment_id',
});

export const commentOperations = [
  operation({
    id: 'listComments',
    route: 'GET /{alias}/catalog/comments',
    access: 'comments.read',
    query: commentList,
    reply: page(ProductCommentSchema, { emptyStatus: 404, nullSiblings: ['answer'] }),
    errors: [404],
    run: async ({ db, query }) => {
      const found = await db.page(productComments, query, {
        extras: selectCommentExtras(query.includes),
      });
      return { ...found, rows: found.rows.map((row) => serializeComment(db.store, row)) };
    },
  }),
  operation({
    id: 'createComment',
    route: 'POST /{alias}/catalog/comments',
    access: 'comments.write',
    body: CommentRequest.post,
    reply: bareRecord(ProductCommentSchema),
    errors: [400, 404],
    run: ({ db, body }) => createComment(db, body),
  }),
  operation({
    id: 'showComment',
    route: 'GET /{alias}/catalog/comments/{id}',
    access: 'comments.read',
    query: recordQuery(commentIncludes),
    reply: dataListOfOne(ProductCommentSchema, { siblings: ['answer'] }),
    errors: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(productComments, ids.id, selectCommentExtras(query.includes));
      return found && serializeComment(db.store, found);
    },
  }),
  operation({
    id: 'updateComment',
    route: 'PUT /{alias}/catalog/comments/{id}',
    access: 'comments.write',
    body: CommentRequest.put,
    reply: bareRecord(ProductCommentSchema),
    errors: [400, 404],
    run: ({ db, ids, body }) => updateComment(db, ids.id, body),
  }),
  operation({
    id: 'deleteComment',
    route: 'DELETE /{alias}/catalog/comments/{id}',
    access: 'comments.write',
    reply: emptyObject(),
    errors: [404],
    run: ({ db, ids }) => db.remove(productComments, ids.id),
  }),
];

/* @__PURE__ */ explainOperations({
  listComments:
    'Lists comments and answers; with onlyParents=true, only comments. Each record has its newest answer in answer; the answer beside data is always null. A query without matches returns 404.',
  createComment:
    'With comment_id, the new record is an answer to that comment, which must be on the same product. An answer cannot have answers.',
  showComment: 'answer, the newest answer, appears both in the record and beside data.',
  updateComment: 'A comment with answers cannot move to another product or become an answer.',
  deleteComment: 'Deleting a comment deletes its answers; deleting a product deletes its comments.',
});
