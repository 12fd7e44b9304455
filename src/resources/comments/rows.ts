import { productComments } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { bare, dataOfOne, nothing, page } from '../../http/replies.ts';
import { listing } from '../../wire/listing.ts';
import { ProductComment } from '../shapes/comment.ts';
import { included, includes, present } from './reading.ts';
import { CommentRequest } from './request.ts';
import { createComment, updateComment } from './writing.ts';

const commentList = listing({
  sort: ['product_id', 'approved', 'name', 'email'],
  search: { name: 'text', email: 'text', product_id: 'id', comment_id: 'id', approved: 'bool' },
  includes,
  parents: 'comment_id',
});

export const commentOperations = [
  operation({
    id: 'listComments',
    route: 'GET /{alias}/catalog/comments',
    access: 'comments.read',
    query: commentList,
    reply: page(ProductComment, { emptyIs: 404, beside: ['answer'] }),
    rejects: [404],
    note: 'Comments and answers alike; with onlyParents the comments alone. Each row carries its newest answer, so answer beside data is null. A query that matches nothing is 404.',
    run: async ({ db, query }) => {
      const found = await db.page(productComments, query, { extras: included(query.includes) });
      return { ...found, rows: found.rows.map((row) => present(db.store, row)) };
    },
  }),
  operation({
    id: 'createComment',
    route: 'POST /{alias}/catalog/comments',
    access: 'comments.write',
    body: CommentRequest.post,
    reply: bare(ProductComment),
    rejects: [400, 404],
    note: 'comment_id makes it an answer to that comment, on the same product; an answer has no answers.',
    run: ({ db, body }) => createComment(db, body),
  }),
  operation({
    id: 'showComment',
    route: 'GET /{alias}/catalog/comments/{id}',
    access: 'comments.read',
    query: listing({ includes }),
    reply: dataOfOne(ProductComment, { beside: ['answer'] }),
    rejects: [404],
    note: 'answer, the newest one, stands in the record and beside data.',
    run: async ({ db, ids, query }) => {
      const found = await db.find(productComments, ids.id, included(query.includes));
      return found && present(db.store, found);
    },
  }),
  operation({
    id: 'updateComment',
    route: 'PUT /{alias}/catalog/comments/{id}',
    access: 'comments.write',
    body: CommentRequest.put,
    reply: bare(ProductComment),
    rejects: [400, 404],
    note: 'A comment that has answers stays on its product and does not become an answer.',
    run: ({ db, ids, body }) => updateComment(db, ids.id, body),
  }),
  operation({
    id: 'deleteComment',
    route: 'DELETE /{alias}/catalog/comments/{id}',
    access: 'comments.write',
    reply: nothing(),
    rejects: [404],
    note: 'Answers go with their comment, comments with their product.',
    run: ({ db, ids }) => db.remove(productComments, ids.id),
  }),
];
