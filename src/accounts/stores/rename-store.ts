import { sql } from 'drizzle-orm';
import { toFieldErrors } from '../../base/codecs/field-errors.ts';
import { ValidationError } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { stores } from '../../data/schema/directory/directory-tables.ts';
import { copyStoreFacts } from '../../data/shards/copy-facts.ts';
import { aliasTaken } from './create-store.ts';
import { assertUsable, requireStore, storeStatement } from './find-store.ts';
import type { StoreRow } from './insert-store.ts';
import { newAlias } from './store-input.ts';

/**
 * Gives a store another alias. Paths with the old one end at once, and another store may take it. Throws a 409 for an alias
 * that another store has. One batch.
 */
export async function renameAlias(
  action: ActionContext,
  { storeId, alias: wanted, reason }: { storeId: number; alias: string; reason: string },
): Promise<StoreRow> {
  const { directory, actor, from, now } = action;
  const { data: alias, error } = newAlias.safeParse(wanted);
  if (error) throw new ValidationError({ alias: toFieldErrors(error)['body'] ?? [] });
  const before = await requireStore(action, storeId);
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
    const [, , [after]] = await directory.batch([
      auditStatement(directory, line, sql`exists (select 1 from ${stores} where ${isBefore})`),
      rawDatabaseStatement(
        directory,
        sql`update ${stores} set alias = ${alias}, updated_at = ${now} where ${isBefore}`,
      ),
      storeStatement(action, storeId),
    ]);
    action.defer(copyStoreFacts(action.env, storeId));
    return assertUsable(after);
  } catch (failure) {
    // A unique index aborts the batch.
    if (failure instanceof ValidationError) throw aliasTaken();
    throw failure;
  }
}
