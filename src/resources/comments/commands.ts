import { eq, sql } from 'drizzle-orm';
import { retryOnConflict, retryInTurns } from '../../db/contention/retry.ts';
import { lastResult } from '../../db/core/statement.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { Row } from '../../db/core/table.ts';
import { lastInsertedId } from '../../db/query/links.ts';
import { throwIfInvalid } from '../../db/query/references.ts';
import { aliasTable, computedNumber, toOne } from '../../db/query/relations.ts';
import { products } from '../../db/schema/store/catalog.ts';
import { productComments } from '../../db/schema/store/product-extras.ts';
import { ValidationError, unknownReference, type FieldErrors } from '../../errors.ts';
import { serializeComment, answerRelation } from '../../schemas/catalog/comment.ts';
import type { CommentChanges, NewComment } from './requests.ts';

/** Creates a comment or an answer. Two round trips. */
export const createComment = (db: StoreDb, body: NewComment) =>
  retryOnConflict(async () => {
    const [product, parent] = await db.batch(selectReferences(db, body));
    assertReferencesExist(body, product, parent);
    assertAnswerable(parent[0], body.product_id);
    const newId = lastInsertedId(db, productComments);
    const [rows] = await db.batch([
      db.insertStatement(productComments, body),
      db.assert(isValidThread(newId)),
    ]);
    return rows.map((row) => ({ ...row, answer: null }))[0];
  });

/** Updates a comment or an answer. Two round trips. */
export const updateComment = (db: StoreDb, id: number, body: CommentChanges) =>
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

type Comment = Row<typeof productComments>;

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
