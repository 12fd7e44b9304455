import { sql } from 'drizzle-orm';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { oneUseLinks } from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { insertLinkStatement, makeLinkToken } from '../sign-in/one-use-links.ts';
import type { StartSession } from '../sign-in/session-actions.ts';
import { userIdByEmail } from './insert-user.ts';
import { insertUserStatements, type NewUser } from './new-user.ts';

const hasNoOperator = sql`not exists (select 1 from ${users} where super_user = 1)`;

/** Whether there is no operator yet. One round trip. */
export async function lacksOperator({
  directory,
}: Pick<ActionContext, 'directory'>): Promise<boolean> {
  const [[found]] = await directory.batch([lacksStatement(directory)]);
  return found?.lacks === 1;
}

/**
 * Creates the first operator, with the session of this browser, while there is none: of parallel
 * calls, one. Returns `late` if there is one by now, `taken` if another user has the address. One
 * batch.
 */
export async function makeFirstOperator(
  action: ActionContext,
  user: Omit<NewUser, 'isOperator'>,
  startSession: StartSession,
): Promise<'made' | 'late' | 'taken'> {
  const { directory, now, from } = action;
  const { email } = user;
  const userId = userIdByEmail(email);
  const isFree = sql`${hasNoOperator} and not exists (select 1 from ${users} where email = ${email} collate nocase)`;
  // A link that is never sent: the other statements recognise by it that this call has won.
  const { hash } = await makeLinkToken();
  const mark = { hash, kind: 'sign_up', userId: null, email, now } as const;
  const isCreated = sql`exists (select 1 from ${oneUseLinks} where token_hash = ${hash})`;
  const line = {
    at: now,
    actor: { kind: 'operator', id: userId, name: user.name, userId: null } as const,
    from,
    action: 'user.made_operator',
    target: { kind: 'user' as const, id: userId },
  };
  const [, [result]] = await directory.batch([
    insertLinkStatement(directory, mark, isFree),
    rawDatabaseStatement<{ won: number; lacks: number }>(
      directory,
      sql`select ${isCreated} as won, ${hasNoOperator} as lacks`,
    ),
    ...insertUserStatements(directory, { ...user, isOperator: true }, now, isCreated),
    ...(await startSession(userId, isCreated)),
    auditStatement(directory, line, isCreated),
  ]);
  if (result?.won === 1) return 'made';
  return result?.lacks === 1 ? 'taken' : 'late';
}

const lacksStatement = (directory: ActionContext['directory']) =>
  rawDatabaseStatement<{ lacks: number }>(directory, sql`select ${hasNoOperator} as lacks`);
