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
  sql`(select a.target_id, a.store_id, ${was} as was, min(a.at) as at from ${lines} a
    where a.action = ${action} and ${was} is not null group by a.target_id, a.store_id)`;

/**
 * Those who came since then by an invitation of the user, to a store or a team. Who was a member
 * before is none of them, since such an invitation gave nothing.
 */
function broughtSince(now: number, untrusted: Untrusted): SQL {
  const { since } = untrusted;
  return sql`(select cast(j.actor_id as integer) as user_id, i.store_id, i.partner_id, j.at
    from ${linesSince(now, untrusted)} a join ${invitations} i on i.id = cast(a.target_id as integer)
    join ${audit} j on j.at = i.accepted_at and j.action = 'member.joined' and j.target_id = a.target_id
    where a.action = 'member.invited' and not exists (select 1 from ${memberships} k
      where k.user_id = cast(j.actor_id as integer) and k.store_id = i.store_id and k.created_at < ${since}))`;
}

/**
 * The operators whom the user made since then, and whom those made; none for who is no operator any
 * more.
 */
export const operatorsMadeSince = (now: number, untrusted: Untrusted): SQL =>
  sql`(with recursive made (id) as (
      select cast(a.target_id as integer) from ${linesSince(now, untrusted)} a where a.action = 'user.made_operator'
      union select cast(m.target_id as integer) from made o join ${audit} m on m.action = 'user.made_operator'
        and m.actor_kind in ('user', 'operator') and m.actor_id = cast(o.id as text) and m.at >= ${untrusted.since})
    select id from made where id <> ${untrusted.userId}
      and exists (select 1 from ${users} o where o.id = ${untrusted.userId} and o.super_user = 1))`;

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

  const isBroughtMember = sql`m.created_at >= ${since} and m.role <> 'owner' and ${where}
    and (m.user_id, m.store_id) in (select user_id, store_id from ${brought})`;
  const isBroughtToTeam = sql`m.partner_id = ${userId} and m.created_at >= ${since} and ${where}
    and m.user_id in (select user_id from ${brought} where partner_id = ${userId})`;
  const role = sql`a.changes ->> '$.role[0]'`;
  const id = (column: SQL) => sql`cast(${column} as integer)`;
  const removed = sql`${earliest(lines, 'member.removed', role)} r
    join ${users} u on u.id = ${id(sql`r.target_id`)} and u.active = 1
    where ${isOwn(sql`r.store_id`)} and ${isAssignable(sql`r.was`)} and ${where}
      and not exists (select 1 from ${brought} b where b.user_id = u.id and b.store_id = r.store_id and b.at <= r.at)
      and not exists (select 1 from ${memberships} m where m.user_id = u.id and m.store_id = r.store_id)`;
  const raised = sql`${earliest(lines, 'member.role_changed', role)} r`;
  const isRaised = sql`m.user_id = ${id(sql`r.target_id`)} and m.store_id = r.store_id and m.role not in ('owner', r.was)
    and ${isOwn(sql`m.store_id`)} and ${isAssignable(sql`r.was`)} and ${where}`;

  const demands = earliest(
    lines,
    'store.second_factor_changed',
    sql`a.changes ->> '$.mfa_required[0]'`,
  );
  const isRelaxed = sql`s.mfa_required = 0 and s.owner_id = ${userId} and ${where}
    and s.id in (select store_id from ${demands} where was = 1)`;

  const isManaged = sql`${isManagedBy(userId)} and ${where}`;
  const edited = sql`${earliest(lines, 'app.edited', sql`a.changes -> '$.redirect_uris[0]'`)} e`;
  // Keeps what others added meanwhile.
  const restored = sql`(select json_group_array(value) from (
    select value from json_each(e.was) union all select c.value from json_each(${apps.redirect_uris}) c
    where c.value not in (select value from json_each(e.was)) and c.value not in (
      select v.value from ${lines} a, json_each(a.changes, '$.redirect_uris[1]') v
      where a.action = 'app.edited' and a.target_id = e.target_id)))`;
  const isRedirected = sql`${apps.client_id} = e.target_id and ${apps.redirect_uris} <> ${restored} and ${isManaged}`;
  const targetsOf = (...actions: string[]) =>
    sql`(select a.target_id from ${lines} a where a.action in (select value from json_each(${JSON.stringify(actions)})))`;
  const published = targetsOf('app.published');
  const isPublished = sql`${apps.state} = 'published' and ${apps.disabled_reason} is null and ${isManaged}
    and ${apps.client_id} in ${published}`;
  // No two apps have the same time, and a later withdrawal has a later one.
  const withdrawnAt = sql`max(${now}, coalesce((select max(withdrawn_at) + 1 from ${apps} where withdrawn_at is not null), 0))
    + (select count(distinct target_id) from ${published} p where p.target_id < ${apps.client_id})`;
  const isHooked = sql`w.active = 1 and w.client_id in ${targetsOf('app.webhook_set', 'app.webhook_secret_rotated')}
    and exists (select 1 from ${apps} where ${apps.client_id} = w.client_id and ${isManaged})`;
  const app = (clientId: SQL) => ({
    target: { kind: 'app' as const, id: clientId },
    partnerId: sql`(select owner_id from ${apps} o where o.client_id = ${clientId})`,
  });

  const isMade = sql`id in ${operatorsMadeSince(now, untrusted)} and super_user = 1 and ${where}`;
  return {
    members: [
      record(
        {
          action: 'member.removed',
          target: user(sql`m.user_id`),
          storeId: sql`m.store_id`,
          changes: sql`json_object('email', json_array(u.email, null), 'role', json_array(m.role, null))`,
        },
        sql`from ${memberships} m join ${users} u on u.id = m.user_id where ${isBroughtMember}`,
      ),
      run(sql`delete from ${memberships} as m where ${isBroughtMember}`),
      record(
        {
          action: 'partner.member_removed',
          target: user(sql`m.user_id`),
          partnerId: userId,
          changes: { partner: [userId, null] },
        },
        sql`from ${partnerMembers} m where ${isBroughtToTeam}`,
      ),
      run(sql`delete from ${partnerMembers} as m where ${isBroughtToTeam}`),
      record(
        {
          action: 'member.role_changed',
          target: user(sql`u.id`),
          storeId: sql`r.store_id`,
          changes: sql`json_object('role', json_array(null, r.was))`,
        },
        sql`from ${removed}`,
      ),
      run(sql`insert into ${memberships} (user_id, store_id, role, created_at)
        select u.id, r.store_id, r.was, ${now} from ${removed}`),
      record(
        {
          action: 'member.role_changed',
          target: user(sql`m.user_id`),
          storeId: sql`m.store_id`,
          changes: sql`json_object('role', json_array(m.role, r.was))`,
        },
        sql`from ${memberships} m join ${raised} on ${isRaised}`,
      ),
      run(sql`update ${memberships} as m set role = r.was from ${raised} where ${isRaised}`),
    ],
    demands: [
      record(
        {
          action: 'store.second_factor_changed',
          target: { kind: 'store', id: sql`s.id` },
          storeId: sql`s.id`,
          changes: { mfa_required: [false, true] },
        },
        sql`from ${stores} s where ${isRelaxed}`,
      ),
      run(sql`update ${stores} as s set mfa_required = 1, updated_at = ${now} where ${isRelaxed}`),
    ],
    apps: [
      record(
        {
          action: 'app.edited',
          ...app(sql`e.target_id`),
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
          ...app(sql`w.client_id`),
          changes: { active: [true, false] },
        },
        sql`from ${appWebhooks} w where ${isHooked}`,
      ),
      run(sql`update ${appWebhooks} as w set active = 0, updated_at = ${now} where ${isHooked}`),
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
