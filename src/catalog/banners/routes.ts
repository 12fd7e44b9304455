import { eq } from 'drizzle-orm';
import type * as z from 'zod';
import { recordId } from '../../base/codecs/fields/ids.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { periodErrors, periodFields } from '../../base/codecs/fields/period.ts';
import { bool } from '../../base/codecs/fields/scalars.ts';
import { slug, url } from '../../base/codecs/fields/string-formats.ts';
import { code, identifier, line } from '../../base/codecs/fields/text.ts';
import { listing, recordQuery } from '../../base/codecs/listing/listing.ts';
import { explainBodies } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { retryOnConflict, retryInTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { removeCounted } from '../../data/queries/detached.ts';
import { findMissing, throwIfInvalid, unknownIdError } from '../../data/queries/references.ts';
import { assertOthersUnchanged, hasChanges, periodColumns } from '../../data/queries/revision.ts';
import { banners } from '../../data/schema/store/banners-tables.ts';
import { products } from '../../data/schema/store/catalog-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { bareRecord, data, deleted, page } from '../../http/replies.ts';
import { nextFreeSlug, retrySlug, slugBase, selectHighestSlug } from '../slug-queries.ts';
import { BannerSchema, bannerListOptions, selectBannerExtras, serializeBanner } from './schema.ts';

export const BannerRequest = requestBodies({
  required: { name: line(255), active: bool, image_url: url() },
  optional: {
    mobile_image_url: [orNull(url()), null],
    link: [orNull(url()), null],
    slug: [slug(255), undefined],
    type: [identifier, 'image'],
    home: [bool, false],
    product_id: [orNull(recordId()), null],
    ml_category: [orNull(code(100)), null],
    ...periodFields,
  },
});

/* @__PURE__ */ explainBodies(BannerRequest, BannerSchema, {
  BannerInput: 'A new picture, and where a click on it leads.',
  BannerPatch: 'The fields of a picture to change, such as its link.',
});

const bannerList = listing(bannerListOptions);

/** Creates a banner. Without a slug, derives one from the name. Two round trips. */
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
    hasListTag: true,
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
    reply: deleted(),
    errors: [404],
    run: ({ db, ids }) => removeCounted(db, banners, ids.id),
  }),
];

/* @__PURE__ */ explainOperations({
  createBanner: 'A banner is shown in the categories and collections whose banners_ids contain it.',
  deleteBanner:
    'The banner is removed from its categories and collections, and X-Warning says from how many; nothing else changes.',
});
