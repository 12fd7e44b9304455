import { eq } from 'drizzle-orm';
import type * as z from 'zod';
import { requestBodies } from '../codecs/body/request-bodies.ts';
import { recordId } from '../codecs/fields/ids.ts';
import { orNull } from '../codecs/fields/nullable.ts';
import { bool } from '../codecs/fields/scalars.ts';
import { slug, url } from '../codecs/fields/string-formats.ts';
import { identifier, line } from '../codecs/fields/text.ts';
import { listing, recordQuery } from '../codecs/listing/listing.ts';
import { periodErrors, periodFields } from '../codecs/time/period.ts';
import { retryOnConflict, retryInTurns } from '../db/contention/retry.ts';
import { lastResult } from '../db/core/statement.ts';
import type { StoreDb } from '../db/core/store-db.ts';
import { findMissing, throwIfInvalid, unknownIdError } from '../db/query/references.ts';
import { assertOthersUnchanged, hasChanges, periodColumns } from '../db/query/revision.ts';
import { nextFreeSlug, retrySlug, slugBase, selectHighestSlug } from '../db/query/slugs.ts';
import { banners } from '../db/schema/store/banners.ts';
import { products } from '../db/schema/store/catalog.ts';
import { operation } from '../http/operation.ts';
import { bareRecord, data, emptyObject, page } from '../http/replies.ts';
import {
  BannerSchema,
  bannerListOptions,
  selectBannerExtras,
  serializeBanner,
} from '../schemas/catalog/banner.ts';

export const BannerRequest = requestBodies({
  required: { name: line(255), active: bool, image_url: url() },
  optional: {
    mobile_image_url: [orNull(url()), null],
    link: [orNull(url()), null],
    slug: [slug(255), undefined],
    type: [identifier, 'image'],
    home: [bool, false],
    product_id: [orNull(recordId()), null],
    ml_category: [orNull(line(100)), null],
    ...periodFields,
  },
});

const bannerList = listing(bannerListOptions);

/** Creates a banner. Without a slug, one is made from the name. Two round trips. */
export const createBanner = (db: StoreDb, body: z.output<typeof BannerRequest.post>) =>
  retryOnConflict(async (attempt) => {
    const base = body.slug ?? slugBase(body.name, 'banner');
    const [highest, missingProducts] = await db.batch([
      selectHighestSlug(db, banners, base),
      findMissing(db, products, [body.product_id]),
    ]);
    throwIfInvalid(unknownIdError('product_id', 'product', missingProducts), periodErrors(body));
    const freeSlug = nextFreeSlug(base, highest[0]?.slug, attempt);
    const banner = await retrySlug(body.slug === undefined, () =>
      db.insert(banners, { ...body, slug: body.slug ?? freeSlug }),
    );
    return banner && serializeBanner(db, banner);
  });

/** Updates a banner. One round trip, two if anything changes. */
const updateBanner = (db: StoreDb, id: number, body: z.output<typeof BannerRequest.put>) =>
  retryInTurns(db, [banners, id], async () => {
    const [found, missingProducts] = await db.batch([
      db.selectOne(banners, id),
      findMissing(db, products, [body.product_id]),
    ]);
    const before = found[0];
    if (!before) return undefined;
    throwIfInvalid(
      unknownIdError('product_id', 'product', missingProducts),
      periodErrors({ ...before, ...body }),
    );
    if (!hasChanges(before, body)) return serializeBanner(db, before);
    const results = await db.batch([
      ...assertOthersUnchanged(db, banners, before, body, periodColumns),
      db.updateStatement(banners, eq(banners.id, id), body),
      db.selectOne(banners, id),
    ]);
    return lastResult(results).map((row) => serializeBanner(db, row))[0];
  });

export const bannerOperations = [
  operation({
    id: 'listBanners',
    route: 'GET /{alias}/catalog/banners',
    access: 'catalog.read',
    query: bannerList,
    reply: page(BannerSchema),
    errors: [400],
    run: async ({ db, query }) => {
      const found = await db.page(banners, query, { extras: selectBannerExtras(query.includes) });
      return { ...found, rows: found.rows.map((row) => serializeBanner(db, row)) };
    },
  }),
  operation({
    id: 'createBanner',
    route: 'POST /{alias}/catalog/banners',
    access: 'catalog.write',
    body: BannerRequest.post,
    reply: data(201, BannerSchema),
    errors: [400, 422],
    note: 'A banner is shown in the categories and collections whose banners_ids contain it.',
    run: ({ db, body }) => createBanner(db, body),
  }),
  operation({
    id: 'showBanner',
    route: 'GET /{alias}/catalog/banners/{id}',
    access: 'catalog.read',
    query: recordQuery(['product']),
    reply: bareRecord(BannerSchema),
    errors: [400, 404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(banners, ids.id, selectBannerExtras(query.includes));
      return found && serializeBanner(db, found);
    },
  }),
  operation({
    id: 'updateBanner',
    route: 'PUT /{alias}/catalog/banners/{id}',
    access: 'catalog.write',
    body: BannerRequest.put,
    reply: data(200, BannerSchema),
    errors: [400, 404, 422],
    run: ({ db, ids, body }) => updateBanner(db, ids.id, body),
  }),
  operation({
    id: 'deleteBanner',
    route: 'DELETE /{alias}/catalog/banners/{id}',
    access: 'catalog.write',
    reply: emptyObject(),
    errors: [404],
    note: 'The banner is removed from its categories and collections; nothing else changes.',
    run: ({ db, ids }) => db.remove(banners, ids.id),
  }),
];
