import { eq } from 'drizzle-orm';
import { untilFresh } from '../../db/fresh.ts';
import {
  bannersOfCollection,
  linkedIds,
  linking,
  newestOf,
  productsOfCollection,
  relinkingIfOther,
} from '../../db/links.ts';
import { samePeriod } from '../../db/periods.ts';
import { missing, refuseIf, unknownIds } from '../../db/references.ts';
import { missingOfRestrictions, restricting, restrictionErrors } from '../../db/restrictions.ts';
import { differ } from '../../db/revision.ts';
import { banners, collections, feeds, products } from '../../db/schema/store.ts';
import { freeSlugOf, renamed, slugBase, slugsLike } from '../../db/slugs.ts';
import { lastOf } from '../../db/statement.ts';
import type { StoreDb } from '../../db/store.ts';
import { touch } from '../../db/touch.ts';
import { height, lineage, parentErrors, standsInTree } from '../../db/tree.ts';
import { periodErrors } from '../../wire/period.ts';
import { collectionExtras, shownCollection } from '../shapes/collection-reading.ts';
import { mergedRestrictions, type CollectionChanges, type NewCollection } from './requests.ts';

const extras = collectionExtras(collections);

/** Reads what a body names and this store has not. */
const unknownOf = (
  db: StoreDb,
  body: Pick<CollectionChanges, 'products_ids' | 'banners_ids' | 'restrictions'>,
) =>
  [
    missing(db, products, body.products_ids ?? []),
    missing(db, banners, body.banners_ids ?? []),
    ...missingOfRestrictions(db, mergedRestrictions(null, body.restrictions)),
  ] as const;

const unknownErrors = ([missedProducts = [], missedBanners = [], ...others]: readonly {
  place: number;
}[][]) => ({
  ...unknownIds('products_ids', 'product', missedProducts),
  ...unknownIds('banners_ids', 'banner', missedBanners),
  ...restrictionErrors(others),
});

/** Adds a collection at its place in the tree, under a slug of its own. Two round trips. */
export const createCollection = (db: StoreDb, body: NewCollection) =>
  untilFresh(async (tried) => {
    const { slug, products_ids, banners_ids, restrictions, ...values } = body;
    const base = slug ?? slugBase(values.name, 'collection');
    const [highest, above, ...missed] = await db.batch([
      slugsLike(db, collections, base),
      lineage(db, collections, values.parent_id),
      ...unknownOf(db, body),
    ]);
    refuseIf(
      parentErrors('collection', values.parent_id, above),
      unknownErrors(missed),
      periodErrors(values),
    );
    const made = freeSlugOf(base, highest[0]?.slug, tried);
    const newest = newestOf(db, collections);
    const results = await renamed(slug === undefined, () =>
      db.batch([
        db.insertion(collections, {
          ...values,
          slug: slug ?? made,
          restricted: restrictions !== null,
        }),
        linking(db, productsOfCollection, newest, products_ids),
        linking(db, bannersOfCollection, newest, banners_ids),
        ...restricting(db, newest, mergedRestrictions(null, restrictions)),
        db.must(standsInTree(db, collections, newest)),
        db.select(collections, { where: eq(collections.id, newest), extras }),
      ]),
    );
    return lastOf(results).map((row) => shownCollection(db, row))[0];
  });

/** Changes a collection. One round trip, two with a change. */
export const updateCollection = (db: StoreDb, id: number, body: CollectionChanges) =>
  untilFresh(async () => {
    const { products_ids, banners_ids, restrictions: sent, ...changes } = body;
    const [found, links, above, levels, ...missed] = await db.batch([
      db.selectOne(collections, id, extras),
      db.selectOne(collections, id, {
        ...(products_ids && { products_ids: linkedIds(productsOfCollection, collections) }),
        ...(banners_ids && { banners_ids: linkedIds(bannersOfCollection, collections) }),
      }),
      lineage(db, collections, changes.parent_id),
      height(db, collections, id),
      ...unknownOf(db, body),
    ]);
    const [before, linked] = [found[0], links[0]];
    if (!before || !linked) return undefined;
    const own = { id, levels: levels[0]?.levels ?? 1 };
    refuseIf(
      parentErrors('collection', changes.parent_id, above, own),
      unknownErrors(missed),
      periodErrors({ ...before, ...changes }),
    );
    const restrictions = mergedRestrictions(before.restrictions, sent);
    const relinked = [
      ...relinkingIfOther(db, productsOfCollection, id, linked.products_ids, products_ids),
      ...relinkingIfOther(db, bannersOfCollection, id, linked.banners_ids, banners_ids),
      ...(differ(before, { restrictions }) ? restricting(db, id, restrictions) : []),
    ];
    const columns = { ...changes, restricted: restrictions !== null };
    if (relinked.length === 0 && !differ(before, columns)) return shownCollection(db, before);
    const results = await db.batch([
      samePeriod(db, collections, before),
      db.change(collections, eq(collections.id, id), columns),
      ...relinked,
      ...(relinked.length > 0 ? [touch(db, collections, eq(collections.id, id))] : []),
      ...(changes.parent_id ? [db.must(standsInTree(db, collections, id))] : []),
      db.selectOne(collections, id, extras),
    ]);
    return lastOf(results).map((row) => shownCollection(db, row))[0];
  });

/** Removes a collection; those below it lose their parent. One round trip. */
export const deleteCollection = (db: StoreDb, id: number) =>
  db.remove(collections, id, [
    db.change(collections, eq(collections.parent_id, id), { parent_id: null }),
    db.change(feeds, eq(feeds.collection_id, id), { collection_id: null }),
  ]);
