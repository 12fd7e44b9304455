import { eq, sql } from 'drizzle-orm';
import { untilFresh } from '../../db/fresh.ts';
import { newestOf } from '../../db/links.ts';
import { calling, computedNumber, one } from '../../db/relations.ts';
import { productComments, products } from '../../db/schema/store.ts';
import { lastOf } from '../../db/statement.ts';
import type { StoreDb } from '../../db/store.ts';
import { InvalidBody } from '../../problem.ts';
import { isSound, refuseUnknown, refuseUnlessAnswerable, refuseUnlessStaying } from './checks.ts';
import { present, withAnswer } from './reading.ts';
import type { CommentChanges, NewComment } from './request.ts';

/** Adds a comment or an answer. Two round trips. */
export const createComment = (db: StoreDb, body: NewComment) =>
  untilFresh(async () => {
    const [product, parent] = await db.batch(named(db, body));
    refuseUnknown(body, product, parent);
    refuseUnlessAnswerable(parent[0], body.product_id);
    const newest = newestOf(db, productComments);
    const [rows] = await db.batch([db.insertion(productComments, body), db.must(isSound(newest))]);
    return rows.map((row) => ({ ...row, answer: null }))[0];
  });

/** Changes a comment or an answer. Two round trips. */
export const updateComment = (db: StoreDb, id: number, body: CommentChanges) =>
  untilFresh(async () => {
    const [found, product, newParent] = await db.batch([
      db.selectOne(productComments, id, { parent, has_answers: hasAnswers }),
      ...named(db, body),
    ]);
    const before = found[0];
    if (!before) return undefined;
    refuseUnknown(body, product, newParent);
    const { comment_id = before.comment_id, product_id } = body;
    if (comment_id === id) {
      throw new InvalidBody({ comment_id: ['Must not be the comment itself.'] });
    }
    if (before.has_answers) refuseUnlessStaying(before, { comment_id, product_id });
    const sent = body.comment_id === undefined ? (before.parent.data ?? undefined) : newParent[0];
    refuseUnlessAnswerable(sent, product_id);
    const results = await db.batch([
      db.change(productComments, eq(productComments.id, id), body),
      db.must(isSound(sql`${id}`)),
      db.selectOne(productComments, id, withAnswer),
    ]);
    return lastOf(results).map((row) => present(db.store, row))[0];
  });

const parents = calling(productComments, 'parents');
const parent = one(parents, eq(parents.id, productComments.comment_id));
const hasAnswers = computedNumber(
  sql`exists (select 1 from ${productComments} as reply where reply.comment_id = ${productComments.id})`,
);

/** What a body names. */
const named = (db: StoreDb, { product_id, comment_id }: CommentChanges) =>
  [db.selectOne(products, product_id), db.selectOne(productComments, comment_id ?? 0)] as const;
