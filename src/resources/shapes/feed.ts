import * as z from 'zod';
import { dateTime } from '../../wire/datetime.ts';
import { CollectionRow } from './collection.ts';

/** A feed as it is shown (contract 3.8); its collection is there when it was asked for. */
export const Feed = z
  .object({
    id: z.int(),
    collection_id: z.int().nullable(),
    service: z.string(),
    name: z.string(),
    url: z.string(),
    created_at: dateTime,
    updated_at: dateTime,
    collection: z.object({ data: CollectionRow.nullable() }).optional(),
  })
  .meta({ id: 'Feed' });
