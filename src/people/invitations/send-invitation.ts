import { sql, type SQL } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import { invite, type InvitationRequest } from './invite.ts';

/** What became of an invitation. Whether the address belongs to a user shows nowhere, unless that user is a member. */
export type InvitationResult = 'invited' | 'already_member' | 'too_many';

/** Makes and sends an invitation unless the SQL condition `isMember` holds. One batch. */
export async function sendInvitation(
  deed: DeedContext,
  request: InvitationRequest,
  isMember: SQL,
): Promise<InvitationResult> {
  const { directory, env, defer } = deed;
  const { statements, isMade } = await invite(deed, request, sql`not ${isMember}`);
  const results = await withDbErrors(
    directory.batch([
      rawDatabaseStatement<{ isMember: number; isMade: number }>(
        directory,
        sql`select ${isMember} as "isMember", 0 as "isMade"`,
      ),
      ...statements,
      rawDatabaseStatement<{ isMade: number }>(directory, sql`select ${isMade} as "isMade"`),
    ]),
  );
  const [[before], last] = [results[0], results.at(-1)];
  if (before?.isMember === 1) return 'already_member';
  const [after] = last as { isMade: number }[];
  if (after?.isMade !== 1) return 'too_many';
  defer(wakeMail(env));
  return 'invited';
}
