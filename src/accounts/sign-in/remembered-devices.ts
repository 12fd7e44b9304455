import { sql, type SQL } from 'drizzle-orm';
import { sessionLifetimes } from '../../base/auth-lifetimes.ts';
import { dayMs } from '../../base/durations.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { factorSince } from '../../data/directory/second-factor.ts';
import { passwords, rememberedDevices } from '../../data/schema/directory/credentials-tables.ts';
import { insertMailToUser, prepareMail } from '../../mail/outbox.ts';
import { userLine } from '../users/user-line.ts';

/** The most remembered devices of a user: the next one replaces the oldest. */
export const maxDevices = 10;

/** A user, and the digests of the tokens that their browser sent. */
interface Presented {
  userId: number;
  hashes: readonly string[];
}

const isPresented = ({ userId, hashes }: Presented) =>
  sql`${rememberedDevices.user_id} = ${userId}
    and ${rememberedDevices.token_hash} in (select value from json_each(${JSON.stringify(hashes)}))`;

/**
 * The condition that a browser is remembered for a user, since the password was last set and the
 * second factor set up. So a device that an ending action missed opens nothing either.
 */
export const isRemembered = (presented: Presented, now: number) =>
  sql`exists (select 1 from ${rememberedDevices}
    join ${passwords} on ${passwords.user_id} = ${rememberedDevices.user_id}
      and ${passwords.changed_at} <= ${rememberedDevices.created_at}
    where ${isPresented(presented)} and ${rememberedDevices.expires_at} > ${now}
      and ${factorSince(rememberedDevices.user_id)} <= ${rememberedDevices.created_at})`;

const dayOf = (now: number) => now - (now % dayMs);

/** Records the day on which a remembered device was used. */
export const touchDeviceStatement = (
  { directory, now }: Pick<ActionContext, 'directory' | 'now'>,
  presented: Presented,
  where: SQL,
) =>
  rawDatabaseStatement(
    directory,
    sql`update ${rememberedDevices} set used_day = ${dayOf(now)}
      where ${isPresented(presented)} and used_day < ${dayOf(now)} and ${where}`,
  );

/**
 * Returns the statements that remember a device, for the end of the batch that `where` recognises.
 * They replace what the browser sent, end the oldest devices beyond {@link maxDevices}, and notify
 * the user.
 */
export async function rememberDeviceStatements(
  action: ActionContext,
  { tokenHash, device, ...former }: Presented & { tokenHash: string; device: string },
  where: SQL,
) {
  const { settings, directory, now } = action;
  const { userId } = former;
  const data = { device: device || '–' };
  const mail = await prepareMail(settings, { kind: 'device_remembered', data });
  const run = (text: SQL) => rawDatabaseStatement(directory, text);
  return [
    run(sql`delete from ${rememberedDevices} where ${isPresented(former)} and ${where}`),
    run(sql`insert into ${rememberedDevices} (user_id, token_hash, device, created_at, used_day, expires_at)
      select ${userId}, ${tokenHash}, ${device}, ${now}, ${dayOf(now)}, ${now + sessionLifetimes.rememberedDevice}
      where ${where}`),
    run(sql`delete from ${rememberedDevices} where ${where} and id in (
      select id from ${rememberedDevices} where user_id = ${userId}
      order by created_at desc, id desc limit -1 offset ${maxDevices})`),
    auditStatement(directory, userLine(action, 'user.device_remembered', userId), where),
    insertMailToUser(directory, mail, userId, now, where),
  ] as const;
}

/**
 * Forgets a device of a user. Does nothing if it is forgotten already. One batch with its line of
 * the audit.
 */
export async function forgetDevice(
  action: ActionContext,
  { userId, id }: { userId: number; id: number },
): Promise<void> {
  const { directory } = action;
  const own = sql`user_id = ${userId} and id = ${id}`;
  const line = userLine(action, 'user.device_forgotten', userId);
  await directory.batch([
    auditStatement(directory, line, sql`exists (select 1 from ${rememberedDevices} where ${own})`),
    rawDatabaseStatement(directory, sql`delete from ${rememberedDevices} where ${own}`),
  ]);
}
