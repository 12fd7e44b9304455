import { sql } from 'drizzle-orm';
import { toFieldErrors } from '../../codecs/body/field-errors.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { stores } from '../../db/schema/directory.ts';
import { copyStoreFacts } from '../../db/shards/copy-facts.ts';
import { ValidationError } from '../../errors.ts';
import type { DeedContext } from '../deed.ts';
import { aliasTaken } from './create-store.ts';
import { assertUsable, requireStore, storeStatement } from './find-store.ts';
import type { StoreRow } from './insert-store.ts';
import { newAlias } from './store-input.ts';

/**
 * Gives a store another alias. Paths with the old one end at once, and another store may take it. Throws a 409 for an alias
 * that another store has. One batch.
 */
export async function renameAlias(
  deed: DeedContext,
  { storeId, alias: wanted, reason }: { storeId: number; alias: string; reason: string },
): Promise<StoreRow> {
  const { directory, actor, from, now } = deed;
  const { data: alias, error } = newAlias.safeParse(wanted);
  if (error) throw new ValidationError({ alias: toFieldErrors(error)['body'] ?? [] });
  const before = await requireStore(deed, storeId);
  if (before.alias === alias) return before;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.renamed',
    target: { kind: 'store', id: storeId },
    storeId,
    reason,
    changes: { alias: [before.alias, alias] },
  } as const;
  const isBefore = sql`id = ${storeId} and alias = ${before.alias}`;
  try {
    const [, , [after]] = await withDbErrors(
      directory.batch([
        auditStatement(directory, line, sql`exists (select 1 from ${stores} where ${isBefore})`),
        rawDatabaseStatement(
          directory,
          sql`update ${stores} set alias = ${alias}, updated_at = ${now} where ${isBefore}`,
        ),
        storeStatement(deed, storeId),
      ]),
    );
    deed.defer(copyStoreFacts(deed.env, storeId));
    return assertUsable(after);
  } catch (failure) {
    // A unique index aborts the batch.
    if (failure instanceof ValidationError) throw aliasTaken();
    throw failure;
  }
}
