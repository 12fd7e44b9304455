import { slugify } from '../../base/codecs/fields/string-formats.ts';
import { dayMs } from '../../base/durations.ts';
import { createComment, CommentRequest } from '../../catalog/comments.ts';
import type { Database } from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { productComments } from '../../data/schema/store/product-extras-tables.ts';
import {
  insertMissing,
  type IdsByKey,
  createSeedDb,
} from '../../stores/test-stores/insert-missing.ts';
import type { CommentSeed } from './display-data.ts';

/** Creates the missing comments and answers. */
export async function seedComments(
  store: Store,
  database: Database,
  {
    comments,
    productIds,
    now,
  }: { comments: readonly CommentSeed[]; productIds: IdsByKey; now: number },
) {
  const db = createSeedDb(store, database, now);
  const target = { table: productComments, column: productComments.message };
  const keyOf = ({ message }: { message: string }) => message;
  const questionIds = await insertMissing(
    db,
    { ...target, seeds: comments, keyOf },
    ({ product, approved = false, daysAgo, answer: _answer, ...fields }) =>
      createComment(
        createSeedDb(store, database, now - daysAgo * dayMs),
        CommentRequest.post.parse({
          ...fields,
          approved,
          product_id: productIds.get(slugify(product)),
        }),
      ),
  );
  const answers = comments.flatMap(({ answer, ...question }) =>
    answer ? [{ ...answer, question }] : [],
  );
  await insertMissing(db, { ...target, seeds: answers, keyOf }, ({ question, ...fields }) =>
    createComment(
      // One day after the question.
      createSeedDb(store, database, now - (question.daysAgo - 1) * dayMs),
      CommentRequest.post.parse({
        ...fields,
        approved: true,
        product_id: productIds.get(slugify(question.product)),
        comment_id: questionIds.get(question.message),
      }),
    ),
  );
}
