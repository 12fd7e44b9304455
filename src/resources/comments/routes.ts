import { listing, recordQuery } from '../../codecs/listing/listing.ts';
import { productComments } from '../../db/schema/store/product-extras.ts';
import { operation } from '../../http/operation.ts';
import { bareRecord, dataListOfOne, emptyObject, page } from '../../http/replies.ts';
import {
  ProductCommentSchema,
  selectCommentExtras,
  commentIncludes,
  serializeComment,
} from '../../schemas/catalog/comment.ts';
import { createComment, updateComment } from './commands.ts';
import { CommentRequest } from './requests.ts';

const commentList = listing({
  sort: ['product_id', 'approved', 'name', 'email'],
  search: { name: 'text', email: 'text', product_id: 'id', comment_id: 'id', approved: 'bool' },
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
    note: 'Lists comments and answers; with onlyParents=true, only comments. Each record has its newest answer in answer; the answer beside data is always null. A query without matches returns 404.',
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
    note: 'With comment_id, the new record is an answer to that comment, which must be on the same product. An answer cannot have answers.',
    run: ({ db, body }) => createComment(db, body),
  }),
  operation({
    id: 'showComment',
    route: 'GET /{alias}/catalog/comments/{id}',
    access: 'comments.read',
    query: recordQuery(commentIncludes),
    reply: dataListOfOne(ProductCommentSchema, { siblings: ['answer'] }),
    errors: [404],
    note: 'answer, the newest answer, appears both in the record and beside data.',
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
    note: 'A comment with answers cannot move to another product or become an answer.',
    run: ({ db, ids, body }) => updateComment(db, ids.id, body),
  }),
  operation({
    id: 'deleteComment',
    route: 'DELETE /{alias}/catalog/comments/{id}',
    access: 'comments.write',
    reply: emptyObject(),
    errors: [404],
    note: 'Deleting a comment deletes its answers; deleting a product deletes its comments.',
    run: ({ db, ids }) => db.remove(productComments, ids.id),
  }),
];
