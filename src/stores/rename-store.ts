import { sql } from 'drizzle-orm';
import { spreadStoreChange } from '../accounts/forget-store.ts';
import { toFieldErrors } from '../base/codecs/field-errors.ts';
import { aliasTaken, ValidationError } from '../base/errors.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { auditStatement } from '../data/audit/audit-lines.ts';
import { stores } from '../data/schema/directory/directory-tables.ts';
import { assertUsable, requireStore, storeStatement } from './find-store.ts';
import { assertNeverOfAnother, leaveAlias } from './former-alias.ts';
import type { StoreRow } from './insert-store.ts';
import { newAlias } from './store-input.ts';

/**
 * Gives a store another alias. The one that it leaves leads to it for a year and is never that of
 * another store; the store may take it back. Throws a 409 for an alias that another store has or
 * had. One batch.
 */
export async function renameAlias(
  action: ActionContext,
  wanted: { storeId: number; alias: string; reason: string },
): Promise<StoreRow> {
  const { directory, actor, from, now } = action;
  const { storeId, reason } = wanted;
  const { data: alias, error } = newAlias.safeParse(wanted.alias);
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
  const isBefore = sql`exists (select 1 from ${stores} where id = ${storeId} and alias = ${before.alias})`;
  try {
    const results = await directory.batch([
      await assertNeverOfAnother(action, alias, storeId),
      auditStatement(directory, line, isBefore),
      ...(await leaveAlias(action, { storeId, from: before.alias, to: alias })),
      storeStatement(action, storeId),
    ]);
    const after = assertUsable((results.at(-1) as StoreRow[])[0]);
    // Another request has renamed it since it was read.
    if (after.alias !== alias) return await renameAlias(action, wanted);
    spreadStoreChange(action, storeId);
    return after;
  } catch (failure) {
    // A unique index aborts the batch.
    if (failure instanceof ValidationError) throw aliasTaken();
    throw failure;
  }
}
