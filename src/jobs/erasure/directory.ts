import { sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { openDatabase } from '../../db/core/open.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { apiKeys } from '../../db/schema/credentials.ts';
import { memberships, stores } from '../../db/schema/directory.ts';
import { jobs } from '../../db/schema/operators.ts';
import { invitations } from '../../db/schema/people.ts';

/** Lines of the audit that one statement clears. */
const linesPerStep = 1_000;

/** Counts what the directory has of a store. One round trip. */
export async function countInDirectory(
  directory: D1Database,
  storeId: number,
): Promise<Record<string, number>> {
  const counts = await directory
    .prepare(
      `select (select count(*) from memberships where store_id = ?1) as members,
        (select count(*) from invitations where store_id = ?1) as invitations,
        (select count(*) from audit where store_id = ?1) as audit_lines`,
    )
    .bind(storeId)
    .first<Record<string, number>>();
  return Object.fromEntries(Object.entries(counts ?? {}).filter(([, n]) => n > 0));
}

/**
 * Clears the lines of the audit about a store, while time remains: who of its members did it, from where, and what changed. What
 * was done, when, and the names of operators stay. Returns whether none is left.
 */
export async function clearAudit(
  directory: D1Database,
  storeId: number,
  hasTime: () => boolean,
): Promise<boolean> {
  const statement = directory
    .prepare(
      `update audit set actor_name = iif(by_operator, actor_name, ''), country = null, network = null, changes = '{}'
        where id in (select id from audit where store_id = ?1 and (changes <> '{}' or country is not null
          or network is not null or (by_operator = 0 and actor_name <> '')) limit ${linesPerStep})`,
    )
    .bind(storeId);
  while (hasTime()) {
    const { meta } = await withDbErrors(statement.run());
    if (meta.changes < linesPerStep) return true;
  }
  return false;
}

/**
 * Leaves a store without a name: its row stays for what refers to it, and its alias is free again. Ends memberships,
 * invitations, limits of API keys to it, and its other jobs. One batch, which does nothing the second time.
 */
export async function leaveTombstone(
  binding: D1Database,
  storeId: number,
  { now, reason }: { now: number; reason: string | null },
): Promise<void> {
  const directory = openDatabase(binding);
  const isFirst = sql`exists (select 1 from ${stores} where id = ${storeId} and erased_at is null)`;
  const line = {
    at: now,
    actor: { kind: 'system', id: 'job', name: '', userId: null },
    from: { country: null, network: null },
    action: 'store.erased',
    target: { kind: 'store', id: storeId },
    storeId,
    ...(reason !== null && { reason }),
  } as const;
  const run = (text: ReturnType<typeof sql>) => rawDatabaseStatement(directory, text);
  await withDbErrors(
    directory.batch([
      auditStatement(directory, line, isFirst),
      run(sql`delete from ${memberships} where store_id = ${storeId}`),
      run(sql`delete from ${invitations} where store_id = ${storeId}`),
      run(sql`update ${apiKeys} set store_ids = (
          select json_group_array(value) from json_each(store_ids) where value <> ${storeId})
        where exists (select 1 from json_each(store_ids) where value = ${storeId})`),
      run(sql`update ${jobs} set state = 'cancelled', finished_at = ${now}, leased_until = 0, due_at = null
        where store_id = ${storeId} and kind <> 'store_erasure' and finished_at is null`),
      run(sql`update ${stores} set alias = 'erased-' || id, name = '', base_url = '', domain = null, icon_url = null,
          logo_url = null, domains_list = '[]', tags = '[]', active = 0, erased_at = ${now}, updated_at = ${now}
        where id = ${storeId} and erased_at is null`),
    ]),
  );
}
