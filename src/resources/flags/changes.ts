import { eq, sql } from 'drizzle-orm';
import { missingOfRules, ruleErrors, ruling, type FlagRules } from '../../db/flag-rules.ts';
import { untilFresh } from '../../db/fresh.ts';
import { newestOf } from '../../db/links.ts';
import { refuseIf } from '../../db/references.ts';
import { differ } from '../../db/revision.ts';
import { flags } from '../../db/schema/store.ts';
import { freeSlugOf, renamed, slugBase, slugsLike } from '../../db/slugs.ts';
import { lastOf } from '../../db/statement.ts';
import type { StoreDb } from '../../db/store.ts';
import { flagExtras, shownFlag } from './reading.ts';
import { longestSlug, sentRules, type FlagChanges, type NewFlag } from './requests.ts';

/** Adds a flag under a slug of its own. Two round trips. */
export const createFlag = (db: StoreDb, body: NewFlag) =>
  untilFresh(async (tried) => {
    const { slug, include, exclude, include_ids, exclude_ids, ...values } = body;
    const rules = sentRules({ include, exclude, include_ids, exclude_ids });
    const base = slug ?? slugBase(values.name, 'flag', longestSlug);
    const [highest, ...missed] = await db.batch([
      slugsLike(db, flags, base),
      ...missingOfRules(db, rules),
    ]);
    refuseIf(ruleErrors(rules, missed));
    const made = freeSlugOf(base, highest[0]?.slug, tried);
    const newest = newestOf(db, flags);
    const results = await renamed(slug === undefined, () =>
      db.batch([
        db.insertion(flags, { ...values, slug: slug ?? made }),
        ...ruling(db, newest, rules),
        db.select(flags, { where: eq(flags.id, newest), extras: flagExtras }),
      ]),
    );
    return lastOf(results).map(shownFlag)[0];
  });

/** Changes a flag; a list that is sent is replaced, the others stay. One round trip, two with a change. */
export async function updateFlag(db: StoreDb, id: number, body: FlagChanges) {
  const { include, exclude, include_ids, exclude_ids, ...columns } = body;
  const rules = sentRules({
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(include_ids && { include_ids }),
    ...(exclude_ids && { exclude_ids }),
  });
  const [found, ...missed] = await db.batch([
    db.selectOne(flags, id, flagExtras),
    ...missingOfRules(db, rules),
  ]);
  const before = found[0];
  if (!before) return undefined;
  refuseIf(ruleErrors(rules, missed));
  const other = otherLists(before.rules, rules);
  const isRuled = Object.keys(other).length > 0;
  if (!isRuled && !differ(before, columns)) return shownFlag(before);
  const results = await db.batch([
    db.change(flags, eq(flags.id, id), columns),
    ...(isRuled
      ? [
          ...ruling(db, id, other),
          // The lists are no column, so that they changed has to be said.
          db.change(flags, eq(flags.id, id), {}, { slug: sql`${flags.slug}` }),
        ]
      : []),
    db.selectOne(flags, id, flagExtras),
  ]);
  return lastOf(results).map(shownFlag)[0];
}

/** The sent lists that name something else than before. */
const otherLists = (before: FlagRules, sent: FlagRules): FlagRules =>
  Object.fromEntries(
    Object.entries(sent).filter(([list, ids]) =>
      differ({ ids: before[list as keyof FlagRules] ?? [] }, { ids }),
    ),
  );
