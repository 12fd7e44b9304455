import { sql, type SQL } from 'drizzle-orm';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import type { Statement } from '../data/core/statement.ts';
import { isInvitationOpen } from '../data/directory/invitations.ts';
import { factorSince } from '../data/directory/second-factor.ts';
import { invitations } from '../data/schema/directory/account-tables.ts';
import {
  apiKeys,
  passkeys,
  recoveryCodes,
  rememberedDevices,
  secondFactors,
  sessions,
} from '../data/schema/directory/credentials-tables.ts';
import {
  memberships,
  storeChanges,
  stores,
  users,
} from '../data/schema/directory/directory-tables.ts';
import {
  type PutBackContext,
  operatorsMadeSince,
  placesSince,
  putBackStatements,
} from './given-since.ts';
import { endLinksStatement } from './sign-in/one-use-links.ts';

/**
 * How much of what rests on trust ends:
 * - `all`: everything of its kind that the user has or made
 * - `others`: every session but the one that asks
 * - `since`: what was made since the time from which the user is not trusted
 * - `ofOperator`: what they made or may use as an operator
 * - `there`: what they made for that store or team
 * - `refused`: nothing ends, but it opens nothing while this lasts; the access checks see to that
 */
type Extent = 'all' | 'others' | 'since' | 'ofOperator' | 'there' | 'refused';

/** The things that rest on trust in a user, a store or a team, and may end with it. */
interface Ends {
  sessions?: 'all' | 'others';
  /** Devices that need no second step to sign in. */
  devices?: 'all';
  /** The address that waits for its confirmation, and the link that confirms it. */
  emailChange?: 'all';
  /**
   * Links that set a password. One that undoes a change of address stays: it protects the owner of
   * the account.
   */
  links?: 'all';
  /** The authenticator app and passkeys, with the recovery codes. */
  secondFactor?: 'all' | 'since';
  /**
   * That passkeys sign in without the password. Each does again once it was the second step after
   * the new password.
   */
  passkeysAlone?: 'all' | 'refused';
  apiKeys?: 'all' | 'since' | 'ofOperator' | 'refused';
  /** Invitations that the user sent and that are not accepted yet. */
  invitations?: 'all' | 'since' | 'ofOperator' | 'there';
  /** Connections of apps that the user allowed. They end in the shards, within a minute. */
  grants?: 'all' | 'since' | 'there' | 'refused';
  /**
   * Members and teams: who came by their invitation goes, who was removed or got another role has
   * the former one.
   */
  members?: 'since';
  /** The demands of their stores that they switched off. */
  demands?: 'since';
  /**
   * Redirect URIs of their apps, publishing them, and their webhooks with a new address or secret.
   */
  apps?: 'since';
  /**
   * Webhooks of stores that they, or whom they brought, set up or gave a secret. They pause in the
   * shards, within a minute.
   */
  webhooks?: 'since';
  /** The operators whom they made. */
  operators?: 'since';
}

/** The only list of all that ends when trust ends, which all actions below share. */
export const endsOfTrust = {
  password_changed: {
    sessions: 'all',
    devices: 'all',
    emailChange: 'all',
    links: 'all',
    passkeysAlone: 'all',
  },
  password_reset: {
    sessions: 'all',
    devices: 'all',
    emailChange: 'all',
    links: 'all',
    passkeysAlone: 'all',
  },
  sessions_ended: { sessions: 'all', devices: 'all', emailChange: 'all', links: 'all' },
  other_sessions_ended: { sessions: 'others', devices: 'all', emailChange: 'all', links: 'all' },
  doors_shut: {
    sessions: 'others',
    devices: 'all',
    emailChange: 'all',
    links: 'all',
    passkeysAlone: 'all',
    apiKeys: 'all',
    invitations: 'all',
    grants: 'all',
    webhooks: 'since',
  },
  email_change_cancelled: { emailChange: 'all' },
  second_factor_on: { sessions: 'others', devices: 'all', links: 'all' },
  passkey_removed: { sessions: 'others', devices: 'all' },
  email_change_undone: {
    sessions: 'all',
    devices: 'all',
    emailChange: 'all',
    links: 'all',
    secondFactor: 'since',
    passkeysAlone: 'all',
    apiKeys: 'since',
    invitations: 'since',
    grants: 'since',
    members: 'since',
    demands: 'since',
    apps: 'since',
    webhooks: 'since',
    operators: 'since',
  },
  user_deactivated: {
    sessions: 'all',
    devices: 'all',
    emailChange: 'all',
    links: 'all',
    passkeysAlone: 'refused',
    apiKeys: 'refused',
    invitations: 'all',
    grants: 'all',
  },
  user_erased: {
    sessions: 'all',
    devices: 'all',
    emailChange: 'all',
    links: 'all',
    secondFactor: 'all',
    passkeysAlone: 'all',
    apiKeys: 'all',
    invitations: 'all',
    grants: 'all',
  },
  operator_unmade: {
    sessions: 'all',
    devices: 'all',
    links: 'all',
    apiKeys: 'ofOperator',
    invitations: 'ofOperator',
  },
  store_handed_over: { invitations: 'there', grants: 'there' },
  // The grants end by a trigger (`memberships_ended`), and at once by
  // `revokeGrantsOfFormerMembers`.
  member_removed: { apiKeys: 'refused', invitations: 'there', grants: 'there' },
  member_made_viewer: { invitations: 'there', grants: 'there' },
  store_locked: { apiKeys: 'refused', invitations: 'there', grants: 'refused' },
  // The rows stay: who sets up a second factor gets all of it back.
  second_factor_required: { apiKeys: 'refused', grants: 'refused' },
  team_member_removed: { invitations: 'there' },
} as const satisfies Record<string, Ends>;

export type EndOfTrust = keyof typeof endsOfTrust;

/** Whom or what is no longer trusted. */
interface Subject {
  /** Absent for a store: then it is about everyone's. Several users are the rows of a query. */
  userId?: number | SQL;
  /** For `there`. */
  storeId?: number;
  partnerId?: number;
  /** For `others`: the digest of the cookie of the session that stays. */
  keptIdHash?: string;
  /** For `since`, in epoch milliseconds; nothing of it ends without one. */
  since?: SQL | number;
}

/**
 * The statements for the batch of an action that ends trust, which do nothing unless `where` holds
 * when they run.
 */
export function endTrust(
  context: PutBackContext,
  event: EndOfTrust,
  { userId = 0, storeId, partnerId, keptIdHash = '', since = 0 }: Subject,
  where: SQL,
): Statement[] {
  const { directory, now } = context;
  const ends: Ends = endsOfTrust[event];
  const run = (text: SQL) => rawDatabaseStatement(directory, text);
  const ids = typeof userId === 'number' ? sql`(${userId})` : userId;
  const isTheirs = sql`user_id in ${ids} and ${where}`;
  const isIncluded = (extent: Extent, isOfOperator = sql`1`) => {
    if (extent === 'since') return sql`created_at >= ${since}`;
    return extent === 'ofOperator' ? isOfOperator : sql`1`;
  };
  const statements: Statement[] = [];

  if (ends.sessions) {
    const isOther = ends.sessions === 'others' ? sql`id_hash <> ${keptIdHash}` : sql`1`;
    statements.push(run(sql`delete from ${sessions} where ${isOther} and ${isTheirs}`));
  }
  if (ends.devices) statements.push(run(sql`delete from ${rememberedDevices} where ${isTheirs}`));
  if (ends.emailChange) {
    statements.push(
      run(sql`update ${users} set temporary_email = null, updated_at = ${now}
          where id in ${ids} and temporary_email is not null and ${where}`),
      endLinksStatement(directory, ids, ['confirm_email'], now, where),
    );
  }
  if (ends.links) {
    statements.push(endLinksStatement(directory, ids, ['password_reset'], now, where));
  }
  if (ends.secondFactor) {
    const isIn = isIncluded(ends.secondFactor);
    const factor = sql`(${factorSince(userId)} is not null)`;
    statements.push(
      run(sql`delete from ${passkeys} where ${isIn} and ${isTheirs}`),
      run(sql`delete from ${secondFactors} where ${isIn} and ${isTheirs}`),
      run(sql`delete from ${recoveryCodes} where (${isIn} or not ${factor}) and ${isTheirs}`),
      run(sql`update ${users} set mfa_enabled = ${factor}, updated_at = ${now}
          where id in ${ids} and mfa_enabled <> ${factor} and ${where}`),
    );
  }
  if (ends.passkeysAlone === 'all') {
    statements.push(run(sql`update ${passkeys} set replaces_password = 0 where ${isTheirs}`));
  }
  if (ends.apiKeys && ends.apiKeys !== 'refused') {
    const isIn = isIncluded(ends.apiKeys, sql`for_operator = 1`);
    statements.push(
      run(sql`update ${apiKeys} set revoked_at = ${now}
          where revoked_at is null and ${isIn} and ${isTheirs}`),
    );
  }
  if (ends.invitations) {
    const isIn = isIncluded(ends.invitations, sql`by_operator = 1`);
    const isSent = userId === 0 ? sql`1` : sql`invited_by in ${ids}`;
    const isThere =
      storeId === undefined && partnerId === undefined
        ? sql`1`
        : sql`(store_id = ${storeId ?? null} or partner_id = ${partnerId ?? null})`;
    statements.push(
      run(sql`update ${invitations} set revoked_at = ${now}
          where ${isSent} and ${isThere} and ${isInvitationOpen(now)} and ${isIn} and ${where}`),
    );
  }
  const isOwn = sql`member.user_id in ${ids}`;
  const tellShards = (places: SQL, givenSince: SQL | number) =>
    run(sql`insert into ${storeChanges} (shard, store_id, user_id, given_since)
      select stores.shard, stores.id, member.user_id, ${givenSince} from ${places} member
      join ${stores} on stores.id = member.store_id where ${where}`);
  if (typeof userId === 'number' && since !== 0) {
    const untrusted = { userId, since };
    const putBack = putBackStatements(context, untrusted, where);
    if (ends.members) statements.push(...putBack.members);
    if (ends.demands) statements.push(...putBack.demands);
    if (ends.apps) statements.push(...putBack.apps);
    if (ends.operators) {
      const made = { userId: operatorsMadeSince(now, untrusted) };
      statements.push(...endTrust(context, 'operator_unmade', made, where), ...putBack.operators);
    }
    if (ends.webhooks) {
      const places = placesSince(now, untrusted);
      const isIn = ends.members ? sql`1` : isOwn;
      statements.push(tellShards(sql`(select * from ${places} member where ${isIn})`, since));
    }
  }
  // Of other events the shards learn from triggers: a user is inactive, or is no member.
  if (event === 'store_handed_over' || event === 'doors_shut') {
    const isThere = storeId === undefined ? sql`1` : sql`member.store_id = ${storeId}`;
    const own = sql`(select * from ${memberships} member where ${isOwn} and ${isThere})`;
    statements.push(tellShards(own, 0));
  }
  return statements;
}
