import { requestBodies } from '../codecs/body/request-bodies.ts';
import { recordId } from '../codecs/fields/ids.ts';
import { orNull } from '../codecs/fields/nullable.ts';
import { url } from '../codecs/fields/string-formats.ts';
import { line, textMatching } from '../codecs/fields/text.ts';
import { listing, recordQuery } from '../codecs/listing/listing.ts';
import { retryOnConflict } from '../db/contention/retry.ts';
import type { StoreDb } from '../db/core/store-db.ts';
import { findMissing, throwIfInvalid, unknownIdError } from '../db/query/references.ts';
import { collections, feeds } from '../db/schema/store/collections.ts';
import { operation } from '../http/operation.ts';
import { bareRecord, emptyObject, page } from '../http/replies.ts';
import { FeedSchema, selectFeedExtras, serializeFeed } from '../schemas/catalog/feed.ts';

const service = textMatching(
  /[a-z0-9][a-z0-9_-]{0,49}/,
  'Must be a letter or digit, then up to 49 letters, digits, _ or -.',
  { lowerCase: true },
);

export const FeedRequest = requestBodies({
  required: { service, name: line(255), url: url() },
  optional: { collection_id: [orNull(recordId()), null] },
});

const feedList = listing({
  sort: ['name', 'service', 'collection_id'],
  search: { name: 'text', service: 'word', collection_id: 'id' },
  includes: ['collection'],
});

/** Throws unless the store has the collection. Without a collection it makes no round trip. */
async function assertCollectionExists(db: StoreDb, id: number | null | undefined) {
  if (!id) return;
  const [missed] = await db.batch([findMissing(db, collections, [id])]);
  throwIfInvalid(unknownIdError('collection_id', 'collection', missed));
}

export const feedOperations = [
  operation({
    id: 'listFeeds',
    route: 'GET /{alias}/catalog/feeds',
    access: 'catalog.read',
    query: feedList,
    reply: page(FeedSchema, { emptyStatus: 404 }),
    errors: [404],
    note: 'A query without matches returns 404, whose body also has data and meta.',
    run: async ({ db, query }) => {
      const found = await db.page(feeds, query, { extras: selectFeedExtras(query.includes) });
      return { ...found, rows: found.rows.map((row) => serializeFeed(db, row)) };
    },
  }),
  operation({
    id: 'createFeed',
    route: 'POST /{alias}/catalog/feeds',
    access: 'catalog.write',
    body: FeedRequest.post,
    reply: bareRecord(FeedSchema),
    errors: [400],
    note: 'Returns 200, not 201. A feed without collection_id contains all products.',
    run: ({ db, body }) =>
      retryOnConflict(async () => {
        await assertCollectionExists(db, body.collection_id);
        return db.insert(feeds, body);
      }),
  }),
  operation({
    id: 'showFeed',
    route: 'GET /{alias}/catalog/feeds/{id}',
    access: 'catalog.read',
    query: recordQuery(['collection']),
    reply: bareRecord(FeedSchema),
    errors: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(feeds, ids.id, selectFeedExtras(query.includes));
      return found && serializeFeed(db, found);
    },
  }),
  operation({
    id: 'updateFeed',
    route: 'PUT /{alias}/catalog/feeds/{id}',
    access: 'catalog.write',
    body: FeedRequest.put,
    reply: bareRecord(FeedSchema),
    errors: [400, 404],
    run: ({ db, ids, body }) =>
      retryOnConflict(async () => {
        if (body.collection_id) {
          const [found, missed] = await db.batch([
            db.selectOne(feeds, ids.id),
            findMissing(db, collections, [body.collection_id]),
          ]);
          if (found.length === 0) return undefined;
          throwIfInvalid(unknownIdError('collection_id', 'collection', missed));
        }
        return db.update(feeds, ids.id, body);
      }),
  }),
  operation({
    id: 'deleteFeed',
    route: 'DELETE /{alias}/catalog/feeds/{id}',
    access: 'catalog.write',
    reply: emptyObject(),
    errors: [404],
    run: ({ db, ids }) => db.remove(feeds, ids.id),
  }),
];
