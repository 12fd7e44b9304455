import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { dateTime } from '../../codecs/time/date-time.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { Row } from '../../db/core/table.ts';
import { pickRelations, toOne } from '../../db/query/relations.ts';
import { collections, feeds } from '../../db/schema/store/collections.ts';
import { CollectionRowSchema, collectionExtras, serializeCollectionRow } from './collection.ts';

/** A feed; `collection` is present when `include` names it. */
export const FeedSchema = z
  .object({
    id: z.int(),
    collection_id: z.int().nullable(),
    service: z.string(),
    name: z.string(),
    url: z.string(),
    created_at: dateTime,
    updated_at: dateTime,
    collection: z.object({ data: CollectionRowSchema.nullable() }).optional(),
  })
  .meta({ id: 'Feed' });

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
