import { asc } from 'drizzle-orm';
import { notFound } from '../problem.ts';
import { linkedTo, linking, unlinking, type Link } from './links.ts';
import { missing, unknownIds } from './references.ts';
import type { StoreDb } from './store.ts';
import type { StoreTable } from './table.ts';

/**
 * Links a record with others or parts it from them, and answers with what it is linked with then, at most 1,000, by
 * id. `undefined` when this store has no such record; an unknown one among the others is not found either, and
 * nothing changes. Two round trips.
 */
export async function associate<L extends StoreTable>(
  db: StoreDb,
  link: Omit<Link, 'linked'> & { linked: L },
  owner: number,
  {
    ids,
    field,
    noun,
    remove = false,
  }: { ids: number[]; field: string; noun: string; remove?: boolean },
) {
  const [owners, missed] = await db.batch([
    db.selectOne(link.owner, owner),
    missing(db, link.linked, ids),
  ]);
  if (owners.length === 0) return undefined;
  if (missed.length > 0) throw notFound(unknownIds(field, noun, missed));
  const change = remove ? unlinking : linking;
  const [, rows] = await db.batch([
    change(db, link, owner, ids),
    db
      .select(link.linked, { where: linkedTo(link, owner) })
      .orderBy(asc(link.linked.id))
      .limit(1000),
  ]);
  return rows;
}
