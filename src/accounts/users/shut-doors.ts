import { sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { isOwnApiKey, withKeys } from '../../data/directory/api-keys.ts';
import { isInvitationOpen } from '../../data/directory/invitations.ts';
import { readGivenSince } from '../../data/grants/former-members.ts';
import { invitations } from '../../data/schema/directory/account-tables.ts';
import {
  apiKeys,
  oneUseLinks,
  passwords,
  rememberedDevices,
  sessions,
} from '../../data/schema/directory/credentials-tables.ts';
import { memberships, stores } from '../../data/schema/directory/directory-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { endTrust } from '../end-trust.ts';
import { placesSince } from '../given-since.ts';
import { userLine } from './user-line.ts';

/** From how many days the webhooks pause that the user set up, as they choose. */
export const webhookDays = [1, 7, 30] as const;

type WebhookDays = (typeof webhookDays)[number];

/** How many there are of all that {@link shutDoors} ends in the directory. */
interface CountedDoors {
  sessions: number;
  devices: number;
  links: number;
  apiKeys: number;
  invitations: number;
}

/** The same with what ends in the shards. */
export interface OpenDoors extends CountedDoors {
  apps: number;
  /** The webhooks that were set up in the last days. */
  webhooks: Record<WebhookDays, number>;
}

/**
 * A store where the user may have set up webhooks since then; 0 for where they may have connected
 * apps.
 */
interface ReachedStore {
  storeId: number;
  shard: number;
  since: number;
}

/**
 * Counts all that {@link shutDoors} would end now. Two round trips to the directory, one to each
 * shard; one that is silent counts nothing.
 */
export async function countOpenDoors(
  { env, directory, now }: ActionContext,
  userId: number,
  keptIdHash: string,
): Promise<OpenDoors> {
  const since = now - Math.max(...webhookDays) * dayMs;
  const isOwn = sql`user_id = ${userId}`;
  const [[counted], places]: [CountedDoors[], ReachedStore[]] = await directory.batch([
    rawDatabaseStatement<CountedDoors>(
      directory,
      sql`select (select count(*) from ${sessions} where ${isOwn} and expires_at > ${now} and id_hash <> ${keptIdHash}
            and created_at >= (select changed_at from ${passwords} where ${isOwn})) as sessions,
          (select count(*) from ${rememberedDevices} where ${isOwn} and expires_at > ${now}) as devices,
          (select count(*) from ${oneUseLinks} where ${isOwn} and used_at is null and expires_at > ${now}
            and kind in ('confirm_email', 'password_reset')) as links,
          (select count(*) from ${apiKeys} where ${isOwnApiKey(userId)}) as "apiKeys",
          (select count(*) from ${invitations} where invited_by = ${userId} and ${isInvitationOpen(now)}) as invitations`,
    ),
    rawDatabaseStatement<ReachedStore>(
      directory,
      sql`select stores.id as "storeId", stores.shard, ${since} as since from ${placesSince(now, { userId, since })} place
          join ${stores} on stores.id = place.store_id where place.user_id = ${userId}
        union all select stores.id, stores.shard, 0 from ${memberships} join ${stores} on stores.id = memberships.store_id
          where memberships.user_id = ${userId}`,
    ),
  ]);
  const given = await withKeys(
    directory,
    places.map((place) => ({ ...place, userId })),
    true,
  );
  const inShards = await Promise.all(
    [...Map.groupBy(given, ({ shard }) => shard)].map(([shard, here]) =>
      readGivenSince(openDatabase(shardBinding(env, shard)), here, now).catch(() => {
        log('warn', 'doors_incomplete', { shard });
        return { apps: 0, webhooksSetUpAt: [] };
      }),
    ),
  );
  const setUpAt = inShards.flatMap(({ webhooksSetUpAt }) => webhooksSetUpAt);
  const countSince = (days: number) => setUpAt.filter((at) => at >= now - days * dayMs).length;
  return {
    ...(counted ?? { sessions: 0, devices: 0, links: 0, apiKeys: 0, invitations: 0 }),
    apps: inShards.reduce((sum, { apps }) => sum + apps, 0),
    webhooks: { 1: countSince(1), 7: countSince(7), 30: countSince(30) },
  };
}

/**
 * Ends all that lets others act for a user (`doors_shut`), but the session with `keptIdHash`:
 * somebody else was in the account. Webhooks that the user set up in the last `days` pause; 0 for
 * none. The user gets a mail. One batch; the shards follow within a minute.
 */
export async function shutDoors(
  action: ActionContext,
  userId: number,
  { keptIdHash, days }: { keptIdHash: string; days: WebhookDays | 0 },
): Promise<void> {
  const { env, settings, directory, now } = action;
  const mail = await prepareMail(settings, { kind: 'doors_shut', data: {} });
  const since = days === 0 ? 0 : now - days * dayMs;
  await directory.batch([
    insertMailToUser(directory, mail, userId, now),
    auditStatement(directory, userLine(action, 'user.doors_shut', userId)),
    ...endTrust(action, 'doors_shut', { userId, keptIdHash, since }, sql`1`),
  ]);
  forgetUser(userId);
  action.defer(wakeMail(env));
}
