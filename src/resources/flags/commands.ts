import { eq, sql } from 'drizzle-orm';
import {
  findMissingInRules,
  ruleErrors,
  setFlagRulesStatements,
  type FlagRules,
} from '../../db/catalog/flag-rules.ts';
import { retryOnConflict } from '../../db/contention/retry.ts';
import { lastResult } from '../../db/core/statement.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import { lastInsertedId } from '../../db/query/links.ts';
import { throwIfInvalid } from '../../db/query/references.ts';
import { hasChanges } from '../../db/query/revision.ts';
import { nextFreeSlug, retrySlug, slugBase, selectHighestSlug } from '../../db/query/slugs.ts';
import { flags } from '../../db/schema/store/flags.ts';
import { flagExtras, serializeFlag } from '../../schemas/catalog/flag.ts';
import { maxFlagSlugLength, toFlagRules, type FlagChanges, type NewFlag } from './requests.ts';

/** Creates a flag. Without a slug, one is made from the name. Two round trips. */
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
    const newId = lastInsertedId(db, flags);
    const results = await retrySlug(slug === undefined, () =>
      db.batch([
        db.insertStatement(flags, { ...values, slug: slug ?? freeSlug }),
        ...setFlagRulesStatements(db, newId, rules),
        db.select(flags, { where: eq(flags.id, newId), extras: flagExtras }),
      ]),
    );
    return lastResult(results).map(serializeFlag)[0];
  });

/** Updates a flag. Lists that are sent are replaced, others stay. One round trip, two if anything changes. */
export async function updateFlag(db: StoreDb, id: number, body: FlagChanges) {
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
