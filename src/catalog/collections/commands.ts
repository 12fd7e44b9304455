import { eq } from 'drizzle-orm';
import { periodErrors } from '../../base/codecs/fields/period.ts';
import { retryOnConflict, retryInTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { removeCounted } from '../../data/queries/detached.ts';
import { linkedIds, linkStatement, changedLinksStatements } from '../../data/queries/links.ts';
import {
  type MissingId,
  findMissing,
  throwIfInvalid,
  unknownIdErrors,
} from '../../data/queries/references.ts';
import {
  assertOthersUnchanged,
  hasChanges,
  periodColumns,
  touchStatement,
} from '../../data/queries/revision.ts';
import { banners } from '../../data/schema/store/banners-tables.ts';
import { products } from '../../data/schema/store/catalog-tables.ts';
import { collections, feeds } from '../../data/schema/store/collections-tables.ts';
import { bannersOfCollection, productsOfCollection } from '../catalog-links.ts';
import { nextFreeSlug, retrySlug, slugBase, selectHighestSlug } from '../slug-queries.ts';
import { selectHeight, selectLineage, parentErrors, isTreeValid } from '../tree-queries.ts';
import { mergeRestrictions, type CollectionChanges, type NewCollection } from './requests.ts';
import {
  findMissingInRestrictions,
  setRestrictionsStatements,
  restrictionErrors,
} from './restriction-queries.ts';
import { collectionExtras, serializeCollection } from './schema.ts';

const extras = collectionExtras(collections);

/** Reads which ids of a body the store does not have. */
const findUnknownIds = (
  db: StoreDb,
  body: Pick<CollectionChanges, 'products_ids' | 'banners_ids' | 'restrictions'>,
) =>
  [
    findMissing(db, products, body.products_ids ?? []),
    findMissing(db, banners, body.banners_ids ?? []),
    ...findMissingInRestrictions(db, mergeRestrictions(null, body.restrictions)),
  ] as const;

const toUnknownErrors = ([
  missingProducts = [],
  missingBanners = [],
  ...missingInRestrictions
]: readonly MissingId[][]) => ({
  ...unknownIdErrors('products_ids', 'product', missingProducts),
  ...unknownIdErrors('banners_ids', 'banner', missingBanners),
  ...restrictionErrors(missingInRestrictions),
});

/** Creates a collection. Without a slug, derives one from the name. Two round trips. */
export const createCollection = (db: StoreDb, body: NewCollection) =>
  retryOnConflict(async (attempt) => {
    const { slug, products_ids, banners_ids, restrictions, ...values } = body;
    const base = slug ?? slugBase(values.name, 'collection');
    const [highest, ancestors, ...unknown] = await db.batch([
      selectHighestSlug(db, collections, base),
      selectLineage(db, collections, values.parent_id),
      ...findUnknownIds(db, body),
    ]);
    throwIfInvalid(
      parentErrors('collection', values.parent_id, ancestors),
      toUnknownErrors(unknown),
      periodErrors(values),
    );
    const freeSlug = nextFreeSlug(base, highest[0]?.slug, attempt);
    const newId = db.lastInsertedId(collections);
    const results = await retrySlug(slug === undefined, () =>
      db.batch([
        db.insertStatement(collections, {
          ...values,
          slug: slug ?? freeSlug,
          restricted: restrictions !== null,
        }),
        linkStatement(db, productsOfCollection, newId, products_ids),
        linkStatement(db, bannersOfCollection, newId, banners_ids),
        ...setRestrictionsStatements(db, newId, mergeRestrictions(null, restrictions)),
        db.assert(isTreeValid(db, collections, newId)),
        db.select(collections, { where: eq(collections.id, newId), extras }),
      ]),
    );
    return lastResult(results).map((row) => serializeCollection(db, row))[0];
  });

/** Updates a collection. One round trip, two if anything changes. */
export const updateCollection = (db: StoreDb, id: number, body: CollectionChanges) =>
  retryInTurns(db, [collections, id], async () => {
    const { products_ids, banners_ids, restrictions: sent, ...changes } = body;
    const [found, links, ancestors, levels, ...unknown] = await db.batch([
      db.selectOne(collections, id, extras),
      db.selectOne(collections, id, {
        ...(products_ids && { products_ids: linkedIds(productsOfCollection, collections) }),
        ...(banners_ids && { banners_ids: linkedIds(bannersOfCollection, collections) }),
      }),
      selectLineage(db, collections, changes.parent_id),
      selectHeight(db, collections, id),
      ...findUnknownIds(db, body),
    ]);
    const [before, linked] = [found[0], links[0]];
    if (!before || !linked) return undefined;
    const subtree = { id, levels: levels[0]?.levels ?? 1 };
    throwIfInvalid(
      parentErrors('collection', changes.parent_id, ancestors, subtree),
      toUnknownErrors(unknown),
      periodErrors({ ...before, ...changes }),
    );
    const linkStatements = [
      ...changedLinksStatements(db, productsOfCollection, id, linked.products_ids, products_ids),
      ...changedLinksStatements(db, bannersOfCollection, id, linked.banners_ids, banners_ids),
      ...(hasChanges(before, { restrictions: mergeRestrictions(before.restrictions, sent) })
        ? setRestrictionsStatements(db, id, sent ?? null)
        : []),
    ];
    const columns = { ...changes, ...(sent !== undefined && { restricted: sent !== null }) };
    if (linkStatements.length === 0 && !hasChanges(before, columns))
      return serializeCollection(db, before);
    const results = await db.batch([
      ...assertOthersUnchanged(db, collections, before, changes, periodColumns),
      db.updateStatement(collections, eq(collections.id, id), columns),
      ...linkStatements,
      ...(linkStatements.length > 0
        ? [touchStatement(db, collections, eq(collections.id, id))]
        : []),
      ...(changes.parent_id ? [db.assert(isTreeValid(db, collections, id))] : []),
      db.selectOne(collections, id, extras),
    ]);
    return lastResult(results).map((row) => serializeCollection(db, row))[0];
  });

/**
 * Deletes a collection; its children lose their parent, its feeds their collection. One round trip.
 */
export const deleteCollection = (db: StoreDb, id: number) =>
  removeCounted(db, collections, id, [
    db.updateStatement(collections, eq(collections.parent_id, id), { parent_id: null }),
    db.updateStatement(feeds, eq(feeds.collection_id, id), { collection_id: null }),
  ]);
