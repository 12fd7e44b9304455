import { sql, type SQL } from 'drizzle-orm';
import type { ActionContext } from '../../data/audit/action.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { wakeMail } from '../../mail/wake-mail.ts';
import { invite, type InvitationRequest } from './invite.ts';

/**
 * The outcome of an invitation. It does not reveal whether the address belongs to a user, unless that user is a member.
 */
export type InvitationResult = 'invited' | 'already_member' | 'too_many';

/** Creates and sends an invitation unless the SQL condition `isMember` holds. One batch. */
export async function sendInvitation(
  action: ActionContext,
  request: InvitationRequest,
  isMember: SQL,
): Promise<InvitationResult> {
  const { directory, env, defer } = action;
  const { statements, isCreated } = await invite(action, request, sql`not ${isMember}`);
  const results = await directory.batch([
    rawDatabaseStatement<{ isMember: number; isCreated: number }>(
      directory,
      sql`select ${isMember} as "isMember", 0 as "isCreated"`,
    ),
    ...statements,
    rawDatabaseStatement<{ isCreated: number }>(directory, sql`select ${isCreated} as "isCreated"`),
  ]);
  const [[before], last] = [results[0], results.at(-1)];
  if (before?.isMember === 1) return 'already_member';
  const [after] = last as { isCreated: number }[];
  if (after?.isCreated !== 1) return 'too_many';
  defer(wakeMail(env));
  return 'invited';
}
