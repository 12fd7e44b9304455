import { sql } from 'drizzle-orm';
import { refuseIf } from '../../db/references.ts';
import { productComments } from '../../db/schema/store.ts';
import type { Row } from '../../db/table.ts';
import { InvalidBody, notFound, type FieldErrors } from '../../problem.ts';
import type { CommentChanges } from './request.ts';

type Comment = Row<typeof productComments>;

/** 404 for a product or a comment that the store does not have. */
export function refuseUnknown(
  { comment_id }: CommentChanges,
  product: readonly unknown[],
  parent: readonly unknown[],
) {
  const errors: FieldErrors = {
    ...(product.length === 0 && { product_id: ['No such product in this store.'] }),
    ...(comment_id && parent.length === 0 && { comment_id: ['No such comment in this store.'] }),
  };
  if (Object.keys(errors).length > 0) throw notFound(errors);
}

/** 400 for an answer to an answer, or to a comment on another product. */
export function refuseUnlessAnswerable(parent: Comment | undefined, productId: number) {
  if (parent && parent.comment_id !== null) {
    throw new InvalidBody({ comment_id: ['Must be a comment that is no answer itself.'] });
  }
  if (parent && parent.product_id !== productId) {
    throw new InvalidBody({ comment_id: ['Must be a comment on the same product.'] });
  }
}

/** Answers belong to a comment on the same product, so a comment that has some stays what and where it is. */
export function refuseUnlessStaying(
  before: Comment,
  after: Pick<Comment, 'comment_id' | 'product_id'>,
) {
  const errors: FieldErrors = {
    ...(after.comment_id !== null && {
      comment_id: ['Must be null while the comment has answers.'],
    }),
    ...(after.product_id !== before.product_id && {
      product_id: ['Must stay the same while the comment has answers.'],
    }),
  };
  refuseIf(errors);
}

/** The same of what is stored: somebody else may have changed the other side since it was read. */
export const isSound = (id: ReturnType<typeof sql>) =>
  sql`not exists (select 1 from ${productComments} as reply
    join ${productComments} as asked on asked.id = reply.comment_id
    where (reply.id = ${id} or reply.comment_id = ${id})
      and (asked.comment_id is not null or asked.product_id <> reply.product_id))`;
