import * as z from 'zod';
import { dateTime, recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { countdownEndsAt, isExpired, periodOutput } from '../../base/codecs/fields/period.ts';
import { boolOutput } from '../../base/codecs/fields/scalars.ts';
import { explain } from '../../base/codecs/meaning.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import type { banners } from '../../data/schema/store/banners-tables.ts';

const line = z.string();

/** A banner without relations. It has a file of its own, since categories and banners show it. */
export const BannerRowSchema = z
  .object({
    id: idOutput,
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
    ...periodOutput,
    stopwatch_expires_in: dateTime.nullable(),
    ...recordTimes,
  })
  .meta({ id: 'BannerRow' });

export const bannerRowMeanings = {
  product_id:
    'Product that the banner advertises; null without one, and after the product is deleted.',
  type: 'What kind of banner it is; any word that your shop knows, such as image.',
  active: 'Whether the shop may show the banner; start_at and end_at limit that further.',
  home: 'Whether the banner is for the home page of the shop.',
  name: 'Title for the staff, and text for screen readers.',
  slug: 'Short name for addresses and styles; unique in the store. Made from the name unless you send one.',
  ml_category: 'Id of the matching category in an external marketplace.',
  link: 'Address that a click leads to; null makes a banner without a link.',
  image_url: 'Address of the picture for wide screens, which you host.',
  mobile_image_url: 'Address of the picture for phones; null lets the shop use image_url.',
  stopwatch_expires_in: 'When the countdown reaches zero; null without stopwatch.',
};

/* @__PURE__ */ explain(BannerRowSchema, 'A banner without relations.', bannerRowMeanings);

/** Adds the fields that depend on the current time and the time zone of the store. */
export const serializeBannerRow = <B extends Row<typeof banners>>(
  { store, now }: Pick<StoreDb, 'store' | 'now'>,
  banner: B,
) => ({
  ...banner,
  expired: isExpired(banner, now),
  stopwatch_expires_in: countdownEndsAt(banner, now, store.zone),
});
