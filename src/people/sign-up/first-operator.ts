import { sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { oneUseLinks } from '../../db/schema/credentials.ts';
import { users } from '../../db/schema/directory.ts';
import type { DeedContext } from '../deed.ts';
import { insertLinkStatement, makeLinkToken } from '../links/one-use-links.ts';
import type { StartSession } from '../sessions/start-session.ts';
import { userIdByEmail } from '../users/insert-user.ts';
import { insertUserStatements, type NewUser } from './new-user.ts';

const hasNoOperator = sql`not exists (select 1 from ${users} where super_user = 1)`;

/** Whether nobody is an operator yet. One round trip. */
export async function lacksOperator({
  directory,
}: Pick<DeedContext, 'directory'>): Promise<boolean> {
  const [[found]] = await withDbErrors(directory.batch([lacksStatement(directory)]));
  return found?.lacks === 1;
}

/**
 * Makes the first operator, with the session of this browser, while there is none: of parallel calls, one. Returns `late` if
 * there is one by now, `taken` if another user has the address. One batch.
 */
export async function makeFirstOperator(
  deed: DeedContext,
  user: Omit<NewUser, 'isOperator'>,
  startSession: StartSession,
): Promise<'made' | 'late' | 'taken'> {
  const { directory, now, from } = deed;
  const { email } = user;
  const userId = userIdByEmail(email);
  const isFree = sql`${hasNoOperator} and not exists (select 1 from ${users} where email = ${email} collate nocase)`;
  // A link that nobody knows: the other statements recognise by it that this call has won.
  const { hash } = await makeLinkToken();
  const mark = { hash, kind: 'sign_up', userId: null, email, now } as const;
  const isMade = sql`exists (select 1 from ${oneUseLinks} where token_hash = ${hash})`;
  const line = {
    at: now,
    actor: { kind: 'operator', id: userId, name: user.name, userId: null } as const,
    from,
    action: 'user.made_operator',
    target: { kind: 'user', id: userId },
  };
  const [, [result]] = await withDbErrors(
    directory.batch([
      insertLinkStatement(directory, mark, isFree),
      rawDatabaseStatement<{ won: number; lacks: number }>(
        directory,
        sql`select ${isMade} as won, ${hasNoOperator} as lacks`,
      ),
      ...insertUserStatements(directory, { ...user, isOperator: true }, now, isMade),
      ...(await startSession(userId, isMade)),
      auditStatement(directory, line, isMade),
    ]),
  );
  if (result?.won === 1) return 'made';
  return result?.lacks === 1 ? 'taken' : 'late';
}

const lacksStatement = (directory: DeedContext['directory']) =>
  rawDatabaseStatement<{ lacks: number }>(directory, sql`select ${hasNoOperator} as lacks`);
