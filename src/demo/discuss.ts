import type { Shard } from '../db/open.ts';
import { productComments } from '../db/schema/store.ts';
import type { Store } from '../db/store.ts';
import { CommentRequest } from '../resources/comments/request.ts';
import { createComment } from '../resources/comments/writing.ts';
import { slugify } from '../wire/slug.ts';
import { complete, type Ids } from './complete.ts';
import type { DemoComment } from './display.ts';
import { day, handle } from './handle.ts';

/** Adds those comments and answers that a store does not have. */
export async function discuss(
  store: Store,
  shard: Shard,
  { comments, sold, now }: { comments: readonly DemoComment[]; sold: Ids; now: number },
) {
  const db = handle(store, shard, now);
  const ofComments = { table: productComments, column: productComments.message };
  const keyOf = ({ message }: { message: string }) => message;
  const asked = await complete(
    db,
    { ...ofComments, wanted: comments, keyOf },
    ({ product, approved = false, daysAgo, answer: _later, ...one }) =>
      createComment(
        handle(store, shard, now - daysAgo * day),
        CommentRequest.post.parse({ ...one, approved, product_id: sold.get(slugify(product)) }),
      ),
  );
  const answers = comments.flatMap(({ answer, ...question }) =>
    answer ? [{ ...answer, question }] : [],
  );
  await complete(db, { ...ofComments, wanted: answers, keyOf }, ({ question, ...one }) =>
    createComment(
      // Answered the next morning.
      handle(store, shard, now - (question.daysAgo - 1) * day),
      CommentRequest.post.parse({
        ...one,
        approved: true,
        product_id: sold.get(slugify(question.product)),
        comment_id: asked.get(question.message),
      }),
    ),
  );
}
