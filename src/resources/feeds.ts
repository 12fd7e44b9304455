import { eq } from 'drizzle-orm';
import { missing, refuseIf, unknownId } from '../db/references.ts';
import { chosen, one } from '../db/relations.ts';
import { collections, feeds } from '../db/schema/store.ts';
import type { StoreDb } from '../db/store.ts';
import type { Row } from '../db/table.ts';
import { operation } from '../http/operation.ts';
import { bare, nothing, page } from '../http/replies.ts';
import { id } from '../wire/id.ts';
import { listing } from '../wire/listing.ts';
import { orNull } from '../wire/or-null.ts';
import { request } from '../wire/request.ts';
import { line } from '../wire/text.ts';
import { url } from '../wire/url.ts';
import { word } from '../wire/words.ts';
import { collectionExtras, presentCollection } from './shapes/collection-reading.ts';
import { Feed } from './shapes/feed.ts';

const service = word(
  /[a-z0-9][a-z0-9_-]{0,49}/,
  'Must be a letter or digit, then up to 49 letters, digits, _ or -.',
  { lowerCase: true },
);

/** The body of POST and PUT feeds (contract 3.8). */
export const FeedRequest = request({
  required: { service, name: line(255), url: url() },
  optional: { collection_id: [orNull(id()), null] },
});

const feedList = listing({
  sort: ['name', 'service', 'collection_id'],
  search: { name: 'text', service: 'word', collection_id: 'id' },
  includes: ['collection'],
});

const relations = {
  collection: one(
    collections,
    eq(collections.id, feeds.collection_id),
    collectionExtras(collections),
  ),
};

const included = (names: readonly string[]) => chosen(relations, names);

type Read = Row<typeof feeds> & {
  collection?: { data: Parameters<typeof presentCollection>[1] | null };
};

function shown(db: StoreDb, { collection, ...row }: Read) {
  if (!collection) return row;
  return {
    ...row,
    collection: { data: collection.data && presentCollection(db, collection.data) },
  };
}

/** Refuses a collection that this store does not have, without a round trip if none is named. */
async function knowCollection(db: StoreDb, collection: number | null | undefined) {
  if (!collection) return;
  const [missed] = await db.batch([missing(db, collections, [collection])]);
  refuseIf(unknownId('collection_id', 'collection', missed));
}

export const feedOperations = [
  operation({
    id: 'listFeeds',
    route: 'GET /{alias}/catalog/feeds',
    access: 'catalog.read',
    query: feedList,
    reply: page(Feed, { emptyIs: 404 }),
    rejects: [404],
    note: '404 when the query matches nothing at all; its body carries data and meta as well.',
    run: async ({ db, query }) => {
      const found = await db.page(feeds, query, { extras: included(query.includes) });
      return { ...found, rows: found.rows.map((row) => shown(db, row)) };
    },
  }),
  operation({
    id: 'createFeed',
    route: 'POST /{alias}/catalog/feeds',
    access: 'catalog.write',
    body: FeedRequest.post,
    reply: bare(Feed),
    rejects: [400],
    note: 'Answers 200, as nothing else is listed. Without collection_id a feed is of all products.',
    run: async ({ db, body }) => {
      await knowCollection(db, body.collection_id);
      return db.insert(feeds, body);
    },
  }),
  operation({
    id: 'showFeed',
    route: 'GET /{alias}/catalog/feeds/{id}',
    access: 'catalog.read',
    query: listing({ includes: ['collection'] }),
    reply: bare(Feed),
    rejects: [404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(feeds, ids.id, included(query.includes));
      return found && shown(db, found);
    },
  }),
  operation({
    id: 'updateFeed',
    route: 'PUT /{alias}/catalog/feeds/{id}',
    access: 'catalog.write',
    body: FeedRequest.put,
    reply: bare(Feed),
    rejects: [400, 404],
    run: async ({ db, ids, body }) => {
      if (body.collection_id) {
        const [found, missed] = await db.batch([
          db.selectOne(feeds, ids.id),
          missing(db, collections, [body.collection_id]),
        ]);
        if (found.length === 0) return undefined;
        refuseIf(unknownId('collection_id', 'collection', missed));
      }
      return db.update(feeds, ids.id, body);
    },
  }),
  operation({
    id: 'deleteFeed',
    route: 'DELETE /{alias}/catalog/feeds/{id}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [404],
    run: ({ db, ids }) => db.remove(feeds, ids.id),
  }),
];
