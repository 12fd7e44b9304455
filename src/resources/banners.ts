import { eq } from 'drizzle-orm';
import type * as z from 'zod';
import { untilFresh } from '../db/fresh.ts';
import { samePeriod } from '../db/periods.ts';
import { missing, refuseIf, unknownId } from '../db/references.ts';
import { differ } from '../db/revision.ts';
import { banners, products } from '../db/schema/store.ts';
import { freeSlugOf, renamed, slugBase, slugsLike } from '../db/slugs.ts';
import type { StoreDb } from '../db/store.ts';
import { operation } from '../http/operation.ts';
import { bare, data, nothing, page } from '../http/replies.ts';
import { bool } from '../wire/bool.ts';
import { id } from '../wire/id.ts';
import { listing } from '../wire/listing.ts';
import { orNull } from '../wire/or-null.ts';
import { openWord, openWordSentence, periodErrors, periodFields } from '../wire/period.ts';
import { request } from '../wire/request.ts';
import { slug } from '../wire/slug.ts';
import { line } from '../wire/text.ts';
import { url } from '../wire/url.ts';
import { word } from '../wire/words.ts';
import { Banner } from './shapes/banner.ts';
import { bannerLanguage, bannerRelations, shownBanner } from './shapes/banner-reading.ts';

/** The body of POST and PUT banners (contract 4.2). */
export const BannerRequest = request({
  required: { name: line(255), active: bool, image_url: url() },
  optional: {
    mobile_image_url: [orNull(url()), null],
    link: [orNull(url()), null],
    slug: [slug(255), undefined],
    type: [word(openWord, openWordSentence), 'image'],
    home: [bool, false],
    product_id: [orNull(id()), null],
    ml_category: [orNull(line(100)), null],
    ...periodFields,
  },
});

const bannerList = listing(bannerLanguage);

/** Adds a banner under a slug of its own. Two round trips. */
export const createBanner = (db: StoreDb, body: z.output<typeof BannerRequest.post>) =>
  untilFresh(async (tried) => {
    const base = body.slug ?? slugBase(body.name, 'banner');
    const [highest, missed] = await db.batch([
      slugsLike(db, banners, base),
      missing(db, products, [body.product_id]),
    ]);
    refuseIf(unknownId('product_id', 'product', missed), periodErrors(body));
    const made = freeSlugOf(base, highest[0]?.slug, tried);
    const banner = await renamed(body.slug === undefined, () =>
      db.insert(banners, { ...body, slug: body.slug ?? made }),
    );
    return banner && shownBanner(db, banner);
  });

/** Changes a banner. One round trip, two with a change. */
const updateBanner = (db: StoreDb, id: number, body: z.output<typeof BannerRequest.put>) =>
  untilFresh(async () => {
    const [found, missed] = await db.batch([
      db.selectOne(banners, id),
      missing(db, products, [body.product_id]),
    ]);
    const before = found[0];
    if (!before) return undefined;
    refuseIf(unknownId('product_id', 'product', missed), periodErrors({ ...before, ...body }));
    if (!differ(before, body)) return shownBanner(db, before);
    const [, , rows] = await db.batch([
      samePeriod(db, banners, before),
      db.change(banners, eq(banners.id, id), body),
      db.selectOne(banners, id),
    ]);
    return rows.map((row) => shownBanner(db, row))[0];
  });

export const bannerOperations = [
  operation({
    id: 'listBanners',
    route: 'GET /{alias}/catalog/banners',
    access: 'catalog.read',
    query: bannerList,
    reply: page(Banner),
    rejects: [400],
    run: async ({ db, query }) => {
      const found = await db.page(banners, query, { extras: bannerRelations(query.includes) });
      return { ...found, rows: found.rows.map((row) => shownBanner(db, row)) };
    },
  }),
  operation({
    id: 'createBanner',
    route: 'POST /{alias}/catalog/banners',
    access: 'catalog.write',
    body: BannerRequest.post,
    reply: data(201, Banner),
    rejects: [400, 422],
    note: 'Banners are shown where banners_ids of categories and collections name them.',
    run: ({ db, body }) => createBanner(db, body),
  }),
  operation({
    id: 'showBanner',
    route: 'GET /{alias}/catalog/banners/{id}',
    access: 'catalog.read',
    query: listing({ includes: ['product'] }),
    reply: bare(Banner),
    rejects: [400, 404],
    run: async ({ db, ids, query }) => {
      const found = await db.find(banners, ids.id, bannerRelations(query.includes));
      return found && shownBanner(db, found);
    },
  }),
  operation({
    id: 'updateBanner',
    route: 'PUT /{alias}/catalog/banners/{id}',
    access: 'catalog.write',
    body: BannerRequest.put,
    reply: data(200, Banner),
    rejects: [400, 404, 422],
    run: ({ db, ids, body }) => updateBanner(db, ids.id, body),
  }),
  operation({
    id: 'deleteBanner',
    route: 'DELETE /{alias}/catalog/banners/{id}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [404],
    note: 'The banner leaves its categories and collections; nothing else changes.',
    run: ({ db, ids }) => db.remove(banners, ids.id),
  }),
];
