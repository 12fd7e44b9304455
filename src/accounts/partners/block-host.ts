import { eq, sql } from 'drizzle-orm';
import { notFound } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { evictApp } from '../../data/directory/apps.ts';
import {
  blockStatement,
  findBlockedHost,
  unblockStatements,
  withdrawStatement,
  type BlockedHost,
} from '../../data/directory/blocked-hosts.ts';
import { blockedHosts } from '../../data/schema/directory/partners-tables.ts';
import { endGrantsEverywhere } from '../../oauth/withdraw-app.ts';

/**
 * Blocks the assistants of a host. None of them registers or gets a consent, and the grants of all
 * end, in the first shards at once and elsewhere within minutes. The same call again ends what is
 * left, and changes nothing else. One batch in the directory.
 */
export async function blockHost(
  action: ActionContext,
  { host, reason }: { host: string; reason: string },
): Promise<BlockedHost> {
  const { directory, env, now } = action;
  const isNew = sql`not exists (select 1 from ${blockedHosts} where host = ${host})`;
  const [, , withdrawn, [stored]] = await directory.batch([
    auditStatement(directory, lineOf(action, 'host.blocked', host, reason), isNew),
    blockStatement(directory, { host, reason, now }),
    withdrawStatement(directory, { host, reason, now }),
    directory.select().from(blockedHosts).where(eq(blockedHosts.host, host)),
  ]);
  const clientIds = withdrawn.map((agent: { client_id: string }) => agent.client_id);
  for (const clientId of clientIds) evictApp(clientId);
  if (clientIds.length > 0) await endGrantsEverywhere(env, clientIds, now);
  if (!stored) throw notFound();
  return stored;
}

/**
 * Unblocks a host; people connect its assistants anew. Returns `undefined` for one that is not
 * blocked. One batch.
 */
export async function unblockHost(
  action: ActionContext,
  { id, reason }: { id: number; reason: string },
): Promise<object | undefined> {
  const { directory, now } = action;
  const known = await findBlockedHost(directory, id);
  if (!known) return undefined;
  const isBlocked = sql`exists (select 1 from ${blockedHosts} where id = ${id})`;
  const [free, remove] = unblockStatements(directory, { id, now });
  const [, freed] = await directory.batch([
    auditStatement(directory, lineOf(action, 'host.unblocked', known.host, reason), isBlocked),
    free!,
    remove!,
  ]);
  for (const { client_id } of freed) evictApp(client_id);
  return {};
}

const lineOf = (
  { now, actor, from }: ActionContext,
  action: string,
  host: string,
  reason: string,
) => ({ at: now, actor, from, action, target: { kind: 'host', id: host }, reason }) as const;
