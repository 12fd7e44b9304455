import { sql, type SQL } from 'drizzle-orm';
import { assignableRoles } from '../base/roles.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { type AuditLine, auditLinesStatement } from '../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import type { Statement } from '../data/core/statement.ts';
import { isManagedBy } from '../data/directory/apps.ts';
import { audit, invitations, partnerMembers } from '../data/schema/directory/account-tables.ts';
import { memberships, stores, users } from '../data/schema/directory/directory-tables.ts';
import { apps, appWebhooks } from '../data/schema/directory/partners-tables.ts';

/** The part of an action that puts back what its user did. */
export type PutBackContext = Pick<ActionContext, 'directory' | 'now' | 'actor' | 'from'>;

/** A user who was not trusted since a time, in epoch milliseconds. */
interface Untrusted {
  userId: number;
  since: SQL | number;
}

/**
 * Selects the lines of the audit about what the user did since then, without those of this batch.
 */
export const linesSince = (now: number, { userId, since }: Untrusted) =>
  sql`(select * from ${audit} where actor_kind in ('user', 'operator') and actor_id = ${String(userId)}
    and at >= ${since} and at < ${now})`;

/** The earliest line of each target with an action, whose `was` is what was there before. */
const earliest = (lines: SQL, action: string, was: SQL) =>
  sql`(select line.target_id, line.store_id, ${was} as was, min(line.at) as at from ${lines} line
    where line.action = ${action} and ${was} is not null group by line.target_id, line.store_id)`;

/**
 * Those who came since then by an invitation of the user, to a store or a team. Who was a member
 * before is none of them, since such an invitation gave nothing.
 */
function broughtSince(now: number, untrusted: Untrusted): SQL {
  const { since } = untrusted;
  return sql`(select cast(joined.actor_id as integer) as user_id, invitations.store_id, invitations.partner_id, joined.at
    from ${linesSince(now, untrusted)} line join ${invitations} on invitations.id = cast(line.target_id as integer)
    join ${audit} joined on joined.at = invitations.accepted_at and joined.action = 'member.joined' and joined.target_id = line.target_id
    where line.action = 'member.invited' and not exists (select 1 from ${memberships}
      where memberships.user_id = cast(joined.actor_id as integer) and memberships.store_id = invitations.store_id and memberships.created_at < ${since}))`;
}

/**
 * The operators whom the user made since then, and whom those made; none for who is no operator any
 * more.
 */
export const operatorsMadeSince = (now: number, untrusted: Untrusted): SQL =>
  sql`(with recursive made (id) as (
      select cast(line.target_id as integer) from ${linesSince(now, untrusted)} line where line.action = 'user.made_operator'
      union select cast(audit.target_id as integer) from made join ${audit} on audit.action = 'user.made_operator'
        and audit.actor_kind in ('user', 'operator') and audit.actor_id = cast(made.id as text) and audit.at >= ${untrusted.since})
    select id from made where id <> ${untrusted.userId}
      and exists (select 1 from ${users} where users.id = ${untrusted.userId} and users.super_user = 1))`;

/**
 * The stores of the user, and of those whom they brought, as `user_id` and `store_id`. There they
 * may have set up something since then that only the shard knows.
 */
export function placesSince(now: number, untrusted: Untrusted): SQL {
  const { userId } = untrusted;
  return sql`(select user_id, store_id from ${memberships} where user_id = ${userId}
    union select ${userId}, store_id from ${linesSince(now, untrusted)} where store_id is not null
    union select user_id, store_id from ${broughtSince(now, untrusted)} where store_id is not null)`;
}

/**
 * The statements that put back what a user did since then, as the audit has it. They are about
 * stores of the user, and apps that the user manages. Each has a line of the audit of its own. They
 * do nothing unless `where` holds when they run.
 */
export function putBackStatements(
  { directory, now, actor, from }: PutBackContext,
  untrusted: Untrusted,
  where: SQL,
): Record<'members' | 'demands' | 'apps' | 'operators', Statement[]> {
  const { userId, since } = untrusted;
  const run = (text: SQL) => rawDatabaseStatement(directory, text);
  const record = (line: Omit<AuditLine, 'at' | 'actor' | 'from'>, source: SQL) =>
    auditLinesStatement(directory, { at: now, actor, from, ...line }, source);
  const user = (id: SQL) => ({ kind: 'user' as const, id });
  const lines = linesSince(now, untrusted);
  const brought = broughtSince(now, untrusted);
  const isOwn = (storeId: SQL) =>
    sql`${storeId} in (select id from ${stores} where owner_id = ${userId} and erased_at is null)`;
  const isAssignable = (role: SQL) =>
    sql`${role} in (select value from json_each(${JSON.stringify(assignableRoles)}))`;

  const isBroughtMember = sql`memberships.created_at >= ${since} and memberships.role <> 'owner' and ${where}
    and (memberships.user_id, memberships.store_id) in (select user_id, store_id from ${brought})`;
  const isBroughtToTeam = sql`partner_members.partner_id = ${userId} and partner_members.created_at >= ${since} and ${where}
    and partner_members.user_id in (select user_id from ${brought} where partner_id = ${userId})`;
  const role = sql`line.changes ->> '$.role[0]'`;
  const id = (column: SQL) => sql`cast(${column} as integer)`;
  const removed = sql`${earliest(lines, 'member.removed', role)} removed
    join ${users} on users.id = ${id(sql`removed.target_id`)} and users.active = 1
    where ${isOwn(sql`removed.store_id`)} and ${isAssignable(sql`removed.was`)} and ${where}
      and not exists (select 1 from ${brought} brought where brought.user_id = users.id and brought.store_id = removed.store_id and brought.at <= removed.at)
      and not exists (select 1 from ${memberships} where memberships.user_id = users.id and memberships.store_id = removed.store_id)`;
  const raised = sql`${earliest(lines, 'member.role_changed', role)} raised`;
  const isRaised = sql`memberships.user_id = ${id(sql`raised.target_id`)} and memberships.store_id = raised.store_id and memberships.role not in ('owner', raised.was)
    and ${isOwn(sql`memberships.store_id`)} and ${isAssignable(sql`raised.was`)} and ${where}`;

  const demands = earliest(
    lines,
    'store.second_factor_changed',
    sql`line.changes ->> '$.mfa_required[0]'`,
  );
  const isRelaxed = sql`stores.mfa_required = 0 and stores.owner_id = ${userId} and ${where}
    and stores.id in (select store_id from ${demands} where was = 1)`;

  const isManaged = sql`${isManagedBy(userId)} and ${where}`;
  const edited = sql`${earliest(lines, 'app.edited', sql`line.changes -> '$.redirect_uris[0]'`)} edited`;
  // Keeps what others added meanwhile.
  const restored = sql`(select json_group_array(value) from (
    select value from json_each(edited.was) union all select present.value from json_each(${apps.redirect_uris}) present
    where present.value not in (select value from json_each(edited.was)) and present.value not in (
      select added.value from ${lines} line, json_each(line.changes, '$.redirect_uris[1]') added
      where line.action = 'app.edited' and line.target_id = edited.target_id)))`;
  const isRedirected = sql`${apps.client_id} = edited.target_id and ${apps.redirect_uris} <> ${restored} and ${isManaged}`;
  const targetsOf = (...actions: string[]) =>
    sql`(select line.target_id from ${lines} line where line.action in (select value from json_each(${JSON.stringify(actions)})))`;
  const published = targetsOf('app.published');
  const isPublished = sql`${apps.state} = 'published' and ${apps.disabled_reason} is null and ${isManaged}
    and ${apps.client_id} in ${published}`;
  // No two apps have the same time, and a later withdrawal has a later one.
  const withdrawnAt = sql`max(${now}, coalesce((select max(withdrawn_at) + 1 from ${apps} where withdrawn_at is not null), 0))
    + (select count(distinct target_id) from ${published} published where published.target_id < ${apps.client_id})`;
  const isHooked = sql`app_webhooks.active = 1 and app_webhooks.client_id in ${targetsOf('app.webhook_set', 'app.webhook_secret_rotated')}
    and exists (select 1 from ${apps} where ${apps.client_id} = app_webhooks.client_id and ${isManaged})`;
  const app = (clientId: SQL) => ({
    target: { kind: 'app' as const, id: clientId },
    partnerId: sql`(select owner_id from ${apps} named where named.client_id = ${clientId})`,
  });

  const isMade = sql`id in ${operatorsMadeSince(now, untrusted)} and super_user = 1 and ${where}`;
  return {
    members: [
      record(
        {
          action: 'member.removed',
          target: user(sql`memberships.user_id`),
          storeId: sql`memberships.store_id`,
          changes: sql`json_object('email', json_array(users.email, null), 'role', json_array(memberships.role, null))`,
        },
        sql`from ${memberships} join ${users} on users.id = memberships.user_id where ${isBroughtMember}`,
      ),
      run(sql`delete from ${memberships} where ${isBroughtMember}`),
      record(
        {
          action: 'partner.member_removed',
          target: user(sql`partner_members.user_id`),
          partnerId: userId,
          changes: { partner: [userId, null] },
        },
        sql`from ${partnerMembers} where ${isBroughtToTeam}`,
      ),
      run(sql`delete from ${partnerMembers} where ${isBroughtToTeam}`),
      record(
        {
          action: 'member.role_changed',
          target: user(sql`users.id`),
          storeId: sql`removed.store_id`,
          changes: sql`json_object('role', json_array(null, removed.was))`,
        },
        sql`from ${removed}`,
      ),
      run(sql`insert into ${memberships} (user_id, store_id, role, created_at)
        select users.id, removed.store_id, removed.was, ${now} from ${removed}`),
      record(
        {
          action: 'member.role_changed',
          target: user(sql`memberships.user_id`),
          storeId: sql`memberships.store_id`,
          changes: sql`json_object('role', json_array(memberships.role, raised.was))`,
        },
        sql`from ${memberships} join ${raised} on ${isRaised}`,
      ),
      run(sql`update ${memberships} set role = raised.was from ${raised} where ${isRaised}`),
    ],
    demands: [
      record(
        {
          action: 'store.second_factor_changed',
          target: { kind: 'store', id: sql`stores.id` },
          storeId: sql`stores.id`,
          changes: { mfa_required: [false, true] },
        },
        sql`from ${stores} where ${isRelaxed}`,
      ),
      run(sql`update ${stores} set mfa_required = 1, updated_at = ${now} where ${isRelaxed}`),
    ],
    apps: [
      record(
        {
          action: 'app.edited',
          ...app(sql`edited.target_id`),
          changes: sql`json_object('redirect_uris', json_array(json(${apps.redirect_uris}), json(${restored})))`,
        },
        sql`from ${apps} join ${edited} on ${isRedirected}`,
      ),
      run(sql`update ${apps} set redirect_uris = ${restored}, updated_at = ${now} from ${edited}
        where ${isRedirected}`),
      record(
        { action: 'app.withdrawn', ...app(sql`${apps.client_id}`) },
        sql`from ${apps} where ${isPublished}`,
      ),
      run(sql`update ${apps} set state = 'draft', withdrawn_at = ${withdrawnAt}, updated_at = ${now}
        where ${isPublished}`),
      record(
        {
          action: 'app.webhook_set',
          ...app(sql`app_webhooks.client_id`),
          changes: { active: [true, false] },
        },
        sql`from ${appWebhooks} where ${isHooked}`,
      ),
      run(sql`update ${appWebhooks} set active = 0, updated_at = ${now} where ${isHooked}`),
    ],
    operators: [
      record(
        {
          actor: { ...actor, kind: 'operator' },
          action: 'user.unmade_operator',
          target: user(sql`id`),
          reason: 'Made by an account that was in the wrong hands.',
        } as AuditLine,
        sql`from ${users} where ${isMade}`,
      ),
      run(sql`update ${users} set super_user = 0, updated_at = ${now} where ${isMade}`),
    ],
  };
}
