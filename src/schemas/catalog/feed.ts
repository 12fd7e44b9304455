import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { idOutput } from '../../codecs/fields/ids.ts';
import { explain } from '../../codecs/meaning.ts';
import { recordTimes } from '../../codecs/time/date-time.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { Row } from '../../db/core/table.ts';
import { pickRelations, toOne } from '../../db/query/relations.ts';
import { collections, feeds } from '../../db/schema/store/collections.ts';
import { CollectionRowSchema, collectionExtras, serializeCollectionRow } from './collection.ts';

/** A feed; `collection` is present when `include` names it. */
export const FeedSchema = z
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

export const selectFeedExtras = (includes: readonly string[]) => pickRelations(relations, includes);

type FeedRecord = Row<typeof feeds> & {
  collection?: { data: Parameters<typeof serializeCollectionRow>[1] | null };
};

export function serializeFeed(db: StoreDb, { collection, ...row }: FeedRecord) {
  if (!collection) return row;
  return {
    ...row,
    collection: { data: collection.data && serializeCollectionRow(db, collection.data) },
  };
}
