import * as z from 'zod';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';
import { countdownEndsAt, isExpired } from '../../codecs/time/period.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { Row } from '../../db/core/table.ts';
import type { banners } from '../../db/schema/store/banners.ts';

const line = z.string();

/** A banner without relations. It has a file of its own, since categories and banners show it. */
export const BannerRowSchema = z
  .object({
    id: z.int(),
    product_id: z.int().nullable(),
    type: line,
    active: boolOutput,
    home: boolOutput,
    name: line,
    slug: line,
    ml_category: line.nullable(),
    link: line.nullable(),
    image_url: line,
    mobile_image_url: line.nullable(),
    stopwatch: line.nullable(),
    expired: z.boolean(),
    stopwatch_expires_in: dateTime.nullable(),
    start_at: dateTime.nullable(),
    end_at: dateTime.nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'BannerRow' });

/** Adds the fields that depend on the current time and the time zone of the store. */
export const serializeBannerRow = <B extends Row<typeof banners>>(
  { store, now }: Pick<StoreDb, 'store' | 'now'>,
  banner: B,
) => ({
  ...banner,
  expired: isExpired(banner, now),
  stopwatch_expires_in: countdownEndsAt(banner, now, store.zone),
});
