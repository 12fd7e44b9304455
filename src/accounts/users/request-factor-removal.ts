import { sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import { conflict } from '../../base/errors.ts';
import { linkPath } from '../../base/page-paths.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import type { Job } from '../../data/directory/job.ts';
import { cancelRemovalStatements, jobStatements } from '../../data/directory/request-job.ts';
import { shards, users } from '../../data/schema/directory/directory-tables.ts';
import { jobs } from '../../data/schema/directory/operators-tables.ts';
import { insertMailToUser, prepareMail, wakeMail } from '../../mail/outbox.ts';
import {
  claimLink,
  endLinksStatement,
  insertLinkStatement,
  makeLinkToken,
} from '../sign-in/one-use-links.ts';
import type { UserLink } from './change-email.ts';
import { assertFound, inactiveError, userStatement } from './find-user.ts';
import { userLine } from './user-line.ts';

/** How long the user may object. */
const objectionMs = dayMs;

/** The condition that the removal of a user's second factor waits. */
const isWaiting = (userId: number) => sql`exists (select 1 from ${jobs}
  where user_id = ${userId} and kind = 'second_factor_removal' and finished_at is null)`;

/**
 * Requests that the second factor of a user who has lost it is removed, as an operator, and returns
 * the job. It takes effect after a day; the user gets a mail at once, with a link that objects. A
 * removal that waits is not requested twice: then its job is returned. Throws a 409 for a user
 * without a factor, who is inactive, or who is an operator. The password alone must never open the
 * pages of operators. One batch.
 */
export async function requestFactorRemoval(
  action: ActionContext,
  { userId, reason }: { userId: number; reason: string },
): Promise<Job> {
  const { settings, directory, now } = action;
  const { token, hash } = await makeLinkToken();
  const link = settings.linkOrigin + linkPath('keep_second_factor', token);
  const mail = await prepareMail(settings, {
    kind: 'second_factor_removal',
    data: { link, reason },
  });
  const isReady = sql`not ${isWaiting(userId)}
    and exists (select 1 from ${users} where id = ${userId} and active = 1 and super_user = 0 and mfa_enabled = 1)`;
  const email = sql`(select email from ${users} where id = ${userId})`;
  const newLink = { hash, kind: 'keep_second_factor', userId, email, now } as const;
  // The work is in the directory, so any shard can do it.
  const shard = sql`(select coalesce(min(number), 0) from ${shards})`;
  const dueAt = now + objectionMs;
  const request = { kind: 'second_factor_removal', userId, reason, dueAt } as const;
  const results: readonly (readonly unknown[])[] = await directory.batch([
    endLinksStatement(directory, userId, ['keep_second_factor'], now, isReady),
    insertLinkStatement(directory, newLink, isReady),
    insertMailToUser(directory, mail, userId, now, isReady),
    ...jobStatements(action, request, shard, isReady),
    userStatement(action, userId),
    directory
      .select()
      .from(jobs)
      .where(
        sql`${jobs.user_id} = ${userId} and ${jobs.kind} = ${request.kind} and ${jobs.finished_at} is null`,
      ),
  ]);
  const user = assertFound((results.at(-2) as (typeof users.$inferSelect)[])[0]);
  const [job] = results.at(-1) as Job[];
  if (!job && user.super_user) throw conflict('user_is_operator');
  if (!job) throw user.active ? conflict('no_second_factor') : inactiveError(user);
  action.defer(wakeMail(action.env));
  return job;
}

/**
 * Objects to the removal of a second factor, with the link of the mail about it: it is cancelled,
 * and nothing else changes. Returns false if the link no longer works, or nothing waits. One batch.
 */
export async function keepSecondFactor(
  action: ActionContext,
  { user, ...link }: UserLink,
): Promise<boolean> {
  const { directory, now } = action;
  const isOpen = sql`${isWaiting(user.id)}
    and exists (select 1 from ${users} where users.id = ${user.id} and users.active = 1)`;
  const { statement, isClaimed } = claimLink(directory, { ...link, user }, now, isOpen);
  const [claimed] = await directory.batch([
    statement,
    auditStatement(directory, userLine(action, 'user.second_factor_kept', user.id), isClaimed),
    ...cancelRemovalStatements(action, user.id, isClaimed),
  ]);
  return claimed.length > 0;
}
