import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { recordTimes } from '../base/codecs/fields/date-time.ts';
import { recordId, idOutput } from '../base/codecs/fields/ids.ts';
import { orNull } from '../base/codecs/fields/nullable.ts';
import { url } from '../base/codecs/fields/string-formats.ts';
import { line, textMatching } from '../base/codecs/fields/text.ts';
import { listing, recordQuery } from '../base/codecs/listing/listing.ts';
import { explain, explainBodies } from '../base/codecs/meaning.ts';
import { requestBodies } from '../base/codecs/request-bodies.ts';
import { retryOnConflict } from '../data/core/retry-contention.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import type { Row } from '../data/core/store-table.ts';
import { findMissing, throwIfInvalid, unknownIdError } from '../data/queries/references.ts';
import { pickRelations, toOne } from '../data/queries/relations.ts';
import { collections, feeds } from '../data/schema/store/collections-tables.ts';
import { explainOperations, operation } from '../http/operation.ts';
import { bareRecord, emptyObject, page } from '../http/replies.ts';
import {
  CollectionRowSchema,
  collectionExtras,
  serializeCollectionRow,
} from './collections/schema.ts';

/** A feed; `collection` is present when `include` names it. */
const FeedSchema = z
  .object({
    id: idOutput,
    collection_id: z.int().nullable(),
    service: z.string(),
    name: z.string(),
    url: z.string(),
    ...recordTimes,
    collection: z.object({ data: CollectionRowSchema.nullable() }).optional(),
  })
  .meta({ id: 'Feed' });

/* @__PURE__ */ explain(
  FeedSchema,
  'A product file that a price comparison or an ad service reads.',
  {
    collection_id:
      'Collection whose products the feed contains; null means all products, also after the collection is deleted.',
    service: 'Who reads the feed; any short word, such as google.',
    name: 'Title for the staff.',
    url: 'Address of the file. You make and host it; the service only keeps the address.',
    collection: 'The collection; with include=collection.',
  },
);

const relations = {
  collection: toOne(
    collections,
    eq(collections.id, feeds.collection_id),
    collectionExtras(collections),
  ),
};

const selectFeedExtras = (includes: readonly string[]) => pickRelations(relations, includes);

type FeedRecord = Row<typeof feeds> & {
  collection?: { data: Parameters<typeof serializeCollectionRow>[1] | null };
};

function serializeFeed(db: StoreDb, { collection, ...row }: FeedRecord) {
  if (!collection) return row;
  return {
    ...row,
    collection: { data: collection.data && serializeCollectionRow(db, collection.data) },
  };
}

const service = textMatching(
  /[a-z0-9][a-z0-9_-]{0,49}/,
  'Must be a letter or digit, then up to 49 letters, digits, _ or -.',
  { lowerCase: true },
);

export const FeedRequest = requestBodies({
  required: { service, name: line(255), url: url() },
  optional: { collection_id: [orNull(recordId()), null] },
});

/* @__PURE__ */ explainBodies(FeedRequest, FeedSchema, {
  FeedInput: 'A new product file for a price comparison or an ad service.',
  FeedPatch: 'The fields of a product file to change.',
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
    hasListTag: true,
    reply: page(FeedSchema, { emptyStatus: 404 }),
    errors: [404],
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

/* @__PURE__ */ explainOperations({
  listFeeds: 'A query without matches returns 404, whose body also has data and meta.',
  createFeed: 'Returns 200, not 201. A feed without collection_id contains all products.',
});
