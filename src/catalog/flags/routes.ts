import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idsOrBracketed, bracketedIds, idOutput } from '../../base/codecs/fields/ids.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { bool, boolOutput } from '../../base/codecs/fields/scalars.ts';
import { colour, slug, url } from '../../base/codecs/fields/string-formats.ts';
import { line } from '../../base/codecs/fields/text.ts';
import { listing } from '../../base/codecs/listing/listing.ts';
import { explain, explainBodies } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { retryOnConflict } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { throwIfInvalid } from '../../data/queries/references.ts';
import { hasChanges } from '../../data/queries/revision.ts';
import { flags } from '../../data/schema/store/flags-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { bareRecord, data, emptyObject, page } from '../../http/replies.ts';
import { nextFreeSlug, retrySlug, slugBase, selectHighestSlug } from '../slug-queries.ts';
import {
  findMissingInRules,
  ruleErrors,
  setFlagRulesStatements,
  type FlagRules,
  rulesOfFlag,
} from './flag-rule-queries.ts';
import { flaggedProductCount } from './flagged-products.ts';

const idLists = z.object({
  products_ids: bracketedIds.describe('Products that match, as ids.'),
  brands_ids: bracketedIds.describe('Brands whose products match, as ids.'),
  collections_ids: bracketedIds.describe('Collections whose products match, as ids.'),
  categories_ids: bracketedIds.describe('Categories whose products match, as ids.'),
});

const FlagSchema = z
  .object({
    id: idOutput,
    active: boolOutput,
    is_visible: boolOutput,
    name: z.string(),
    slug: z.string(),
    total_products: z.int(),
    text_color: z.string(),
    background_color: z.string(),
    image_url: z.string().nullable(),
    ...recordTimes,
    include: idLists,
    exclude: idLists,
    include_ids: bracketedIds,
    exclude_ids: bracketedIds,
  })
  .meta({ id: 'Flag' });

/* @__PURE__ */ explain(
  FlagSchema,
  'A seal on products, such as New or Free shipping, given by rules. Its lists of ids are texts such as [4, 8, 15].',
  {
    active:
      'Whether the seal is in use; the count and the filter flag_id work for inactive seals too.',
    is_visible:
      'Whether buyers see the seal; a hidden one can still mark products for your own work.',
    name: 'What the seal says.',
    slug: 'Short name for addresses and styles; unique in the store. Made from the name unless you send one.',
    total_products: 'Active products that have the seal now, counted at each read.',
    text_color: 'Colour of the words, as #RGB or #RRGGBB.',
    background_color: 'Colour behind the words, as #RGB or #RRGGBB.',
    image_url: 'Address of a picture to show as the seal; null shows the name.',
    include: 'What gives a product the seal: any match is enough. Empty lists match nothing.',
    exclude: 'What keeps the seal away from a product, even if include matches.',
    include_ids: 'Further products that get the seal, as ids.',
    exclude_ids: 'Further products that never get the seal, as ids.',
  },
);

/** Computed columns of a flag. */
const flagExtras = { rules: rulesOfFlag, total_products: flaggedProductCount };

type FlagRecord = Row<typeof flags> & { rules: FlagRules; total_products: number };

/** Groups the rules of a flag into the lists of the response. */
function serializeFlag({ rules, ...flag }: FlagRecord) {
  const side = (name: 'include' | 'exclude') => ({
    products_ids: [...(rules[`${name}.products_ids`] ?? [])],
    brands_ids: [...(rules[`${name}.brands_ids`] ?? [])],
    collections_ids: [...(rules[`${name}.collections_ids`] ?? [])],
    categories_ids: [...(rules[`${name}.categories_ids`] ?? [])],
  });
  return {
    ...flag,
    include: side('include'),
    exclude: side('exclude'),
    include_ids: [...(rules.include_ids ?? [])],
    exclude_ids: [...(rules.exclude_ids ?? [])],
  };
}

const idListsRequest = requestBodies({
  optional: {
    products_ids: [idsOrBracketed(), []],
    brands_ids: [idsOrBracketed(), []],
    collections_ids: [idsOrBracketed(), []],
    categories_ids: [idsOrBracketed(), []],
  },
});

/* @__PURE__ */ explainBodies(idListsRequest, idLists, {
  FlagIncludeInput: 'What one side of the rules matches; a list that is left out is empty.',
  FlagIncludePatch: 'The lists of one side of the rules to replace.',
});

const maxFlagSlugLength = 100;

export const FlagRequest = requestBodies({
  required: { name: line(100), active: bool },
  optional: {
    is_visible: [bool, true],
    slug: [slug(maxFlagSlugLength), undefined],
    text_color: [colour, '#FFFFFF'],
    background_color: [colour, '#000000'],
    image_url: [orNull(url()), null],
    include: [idListsRequest, {}],
    exclude: [idListsRequest, {}],
    include_ids: [idsOrBracketed(), []],
    exclude_ids: [idsOrBracketed(), []],
  },
});

/* @__PURE__ */ explainBodies(FlagRequest, FlagSchema, {
  FlagInput: 'A new seal, with the rules that say which products wear it.',
  FlagPatch: 'The fields of a seal to change; each list of its rules is replaced as a whole.',
});

type NewFlag = z.output<typeof FlagRequest.post>;
type FlagChanges = z.output<typeof FlagRequest.put>;

const ascending = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

const prefixLists = (side: 'include' | 'exclude', lists: FlagChanges['include'] = {}) =>
  Object.entries(lists).map(([name, ids]) => [`${side}.${name}`, ids] as const);

/** The lists of a body as rules. Ids are ascending, as in the database. */
function toFlagRules({
  include,
  exclude,
  ...direct
}: Pick<FlagChanges, 'include' | 'exclude' | 'include_ids' | 'exclude_ids'>) {
  const lists = [
    ...prefixLists('include', include),
    ...prefixLists('exclude', exclude),
    ...Object.entries(direct),
  ];
  return Object.fromEntries(lists.map(([list, ids]) => [list, ascending(ids)])) as FlagRules;
}

/** Creates a flag. Without a slug, derives one from the name. Two round trips. */
export const createFlag = (db: StoreDb, body: NewFlag) =>
  retryOnConflict(async (attempt) => {
    const { slug, include, exclude, include_ids, exclude_ids, ...values } = body;
    const rules = toFlagRules({ include, exclude, include_ids, exclude_ids });
    const base = slug ?? slugBase(values.name, 'flag', maxFlagSlugLength);
    const [highest, ...missingIds] = await db.batch([
      selectHighestSlug(db, flags, base),
      ...findMissingInRules(db, rules),
    ]);
    throwIfInvalid(ruleErrors(rules, missingIds));
    const freeSlug = nextFreeSlug(base, highest[0]?.slug, attempt);
    const newId = db.lastInsertedId(flags);
    const results = await retrySlug(slug === undefined, () =>
      db.batch([
        db.insertStatement(flags, { ...values, slug: slug ?? freeSlug }),
        ...setFlagRulesStatements(db, newId, rules),
        db.select(flags, { where: eq(flags.id, newId), extras: flagExtras }),
      ]),
    );
    return lastResult(results).map(serializeFlag)[0];
  });

/**
 * Updates a flag. Lists that are sent are replaced, others stay. One round trip, two if anything
 * changes.
 */
async function updateFlag(db: StoreDb, id: number, body: FlagChanges) {
  const { include, exclude, include_ids, exclude_ids, ...columns } = body;
  const rules = toFlagRules({
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(include_ids && { include_ids }),
    ...(exclude_ids && { exclude_ids }),
  });
  const [found, ...missingIds] = await db.batch([
    db.selectOne(flags, id, flagExtras),
    ...findMissingInRules(db, rules),
  ]);
  const before = found[0];
  if (!before) return undefined;
  throwIfInvalid(ruleErrors(rules, missingIds));
  const changedRules = pickChangedRules(before.rules, rules);
  const haveRulesChanged = Object.keys(changedRules).length > 0;
  if (!haveRulesChanged && !hasChanges(before, columns)) return serializeFlag(before);
  const results = await db.batch([
    db.updateStatement(flags, eq(flags.id, id), columns),
    ...(haveRulesChanged
      ? [
          ...setFlagRulesStatements(db, id, changedRules),
          // The lists are not columns. Writing the slug moves `updated_at`.
          db.updateStatement(flags, eq(flags.id, id), {}, { slug: sql`${flags.slug}` }),
        ]
      : []),
    db.selectOne(flags, id, flagExtras),
  ]);
  return lastResult(results).map(serializeFlag)[0];
}

const pickChangedRules = (before: FlagRules, sent: FlagRules): FlagRules =>
  Object.fromEntries(
    Object.entries(sent).filter(([list, ids]) =>
      hasChanges({ ids: before[list as keyof FlagRules] ?? [] }, { ids }),
    ),
  );

const flagList = listing({
  sort: ['name', 'slug', 'active'],
  search: { name: 'text', slug: 'text', active: 'bool', is_visible: 'bool' },
});

export const flagOperations = [
  operation({
    id: 'listFlags',
    route: 'GET /{alias}/catalog/flags',
    access: 'catalog.read',
    query: flagList,
    hasListTag: true,
    reply: page(FlagSchema),
    errors: [400],
    run: async ({ db, query }) => {
      const found = await db.page(flags, query, { extras: flagExtras });
      return { ...found, rows: found.rows.map(serializeFlag) };
    },
  }),
  operation({
    id: 'createFlag',
    route: 'POST /{alias}/catalog/flags',
    access: 'catalog.write',
    body: FlagRequest.post,
    reply: data(201, FlagSchema),
    errors: [400, 422],
    run: ({ db, body }) => createFlag(db, body),
  }),
  operation({
    id: 'showFlag',
    route: 'GET /{alias}/catalog/flags/{id}',
    access: 'catalog.read',
    reply: bareRecord(FlagSchema),
    errors: [],
    run: async ({ db, ids }) => {
      const found = await db.find(flags, ids.id, flagExtras);
      return found && serializeFlag(found);
    },
  }),
  operation({
    id: 'updateFlag',
    route: 'PUT /{alias}/catalog/flags/{id}',
    access: 'catalog.write',
    body: FlagRequest.put,
    reply: data(200, FlagSchema),
    errors: [400, 404, 422],
    run: ({ db, ids, body }) => updateFlag(db, ids.id, body),
  }),
  operation({
    id: 'deleteFlag',
    route: 'DELETE /{alias}/catalog/flags/{id}',
    access: 'catalog.write',
    reply: emptyObject(),
    errors: [404],
    run: ({ db, ids }) => db.remove(flags, ids.id),
  }),
];

/* @__PURE__ */ explainOperations({
  createFlag:
    'A product has a flag when include_ids or a list in include matches it, and neither exclude_ids nor a list in exclude does. An empty list matches nothing.',
  showFlag:
    'total_products counts the active products that have the flag now. Deleted records are removed from the lists.',
  updateFlag:
    'Each list that is sent is replaced as a whole, including those in include and exclude. Fields that are not sent keep their values.',
});
