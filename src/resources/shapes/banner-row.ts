import * as z from 'zod';
import type { banners } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import type { Row } from '../../db/table.ts';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';
import { countdownEnd, isExpired } from '../../wire/period.ts';

const line = z.string();

/** The banner without its relations. */
export const BannerRow = z
  .object({
    id: z.int(),
    product_id: z.int().nullable(),
    type: line,
    active: shownBool,
    home: shownBool,
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

/** Adds what follows from the moment and the zone of the store. */
export const presentBanner = <B extends Row<typeof banners>>(
  { store, now }: Pick<StoreDb, 'store' | 'now'>,
  banner: B,
) => ({
  ...banner,
  expired: isExpired(banner, now),
  stopwatch_expires_in: countdownEnd(banner, now, store.zone),
});
