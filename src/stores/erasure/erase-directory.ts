import { sql } from 'drizzle-orm';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { prepareSql, rawDatabaseStatement } from '../../data/core/raw.ts';
import type { Job } from '../../data/directory/job.ts';
import { invitations } from '../../data/schema/directory/account-tables.ts';
import { apiKeys } from '../../data/schema/directory/credentials-tables.ts';
import {
  formerAliases,
  memberships,
  storeChanges,
  stores,
} from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { requestLog } from '../../data/schema/directory/partners-tables.ts';

/** Lines of the audit that one statement clears. */
const linesPerStep = 1_000;

/** Counts what the directory has of a store. One round trip. */
export async function countInDirectory(
  directory: D1Database,
  storeId: number,
): Promise<Record<string, number>> {
  const counts = await prepareSql(
    directory,
    sql`select (select count(*) from memberships where store_id = ${storeId}) as members,
      (select count(*) from invitations where store_id = ${storeId}) as invitations,
      (select count(*) from audit where store_id = ${storeId}) as audit_lines`,
  ).first<Record<string, number>>();
  return Object.fromEntries(Object.entries(counts ?? {}).filter(([, n]) => n > 0));
}

/**
 * Clears the lines of the audit about a store, while time remains: which member acted, from which
 * address, and the changes. The action, its time and the names of operators stay. Returns whether
 * no such line remains.
 */
export async function clearAudit(
  directory: D1Database,
  storeId: number,
  hasTime: () => boolean,
): Promise<boolean> {
  const statement = prepareSql(
    directory,
    sql`update audit set actor_name = iif(by_operator, actor_name, ''), country = null, network = null, changes = '{}'
      where id in (select id from audit where store_id = ${storeId} and (changes <> '{}' or country is not null
        or network is not null or (by_operator = 0 and actor_name <> '')) limit ${linesPerStep})`,
  );
  while (hasTime()) {
    const { meta } = await statement.run();
    if (meta.changes < linesPerStep) return true;
  }
  return false;
}

/**
 * Removes the names of a store: its row stays for records that refer to it, and its alias is free
 * again. Of those that it left before, the digests stay and keep them reserved. Ends memberships,
 * invitations, limits of API keys to it, and its other jobs. One batch, which does nothing the
 * second time.
 */
export async function leaveTombstone(
  binding: D1Database,
  { id: jobId, store_id: id, reason }: Pick<Job, 'id' | 'store_id' | 'reason'>,
  now: number,
): Promise<void> {
  const storeId = id ?? 0;
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
  await directory.batch([
    auditStatement(directory, line, isFirst),
    run(sql`delete from ${memberships} where store_id = ${storeId}`),
    run(sql`delete from ${invitations} where store_id = ${storeId}`),
    run(sql`delete from ${requestLog} where store_id = ${storeId}`),
    run(sql`delete from ${storeChanges} where store_id = ${storeId} and former_alias is not null`),
    run(
      sql`update ${formerAliases} set alias = null where store_id = ${storeId} and alias is not null`,
    ),
    run(sql`update ${apiKeys} set store_ids = (
          select json_group_array(value) from json_each(store_ids) where value <> ${storeId})
        where exists (select 1 from json_each(store_ids) where value = ${storeId})`),
    run(sql`update ${jobs} set state = 'cancelled', finished_at = ${now}, leased_until = 0, due_at = null
        where store_id = ${storeId} and id <> ${jobId} and finished_at is null`),
    run(sql`update ${stores} set alias = 'erased-' || id, name = '', base_url = '', domain = null, icon_url = null,
          logo_url = null, domains_list = '[]', tags = '[]', active = 0, erased_at = ${now}, updated_at = ${now}
        where id = ${storeId} and erased_at is null`),
  ]);
}
