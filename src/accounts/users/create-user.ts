import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { toFieldErrors } from '../../base/codecs/field-errors.ts';
import { mayBeCalled } from '../../base/codecs/fields/claimed-names.ts';
import { email } from '../../base/codecs/fields/string-formats.ts';
import { line } from '../../base/codecs/fields/text.ts';
import { conflict, ValidationError } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { isUserEmail } from '../../data/directory/sign-in-accounts.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { wakeMail } from '../../mail/outbox.ts';
import { invite } from '../members/invite.ts';
import { insertUserStatement, userIdByEmail } from './insert-user.ts';

export type UserRow = typeof users.$inferSelect;

interface NewUser {
  name: string;
  email: string;
  language?: Language | undefined;
  /** Why an operator creates them. */
  reason?: string;
}

/** The fields of a user that a person types. */
export const newUserFields = { name: line(120), email };

const NewUserFields = z.object(newUserFields);

/**
 * Creates a user without a password and sends them an invitation to set one. The same call again
 * changes nothing until it is accepted. Throws a 409 for the address of another user, and a
 * `ValidationError`. One batch.
 */
export async function createUser(
  action: ActionContext,
  wanted: NewUser,
): Promise<{ user: UserRow; isNew: boolean }> {
  const { directory, now, actor, from } = action;
  const { data: fields, error } = NewUserFields.safeParse(wanted);
  if (!fields) throw new ValidationError(toFieldErrors(error));
  const { name, email: address } = fields;
  if (!mayBeCalled(name, action.settings)) {
    throw new ValidationError({ name: ['Must not be a name or a mark of the service.'] });
  }
  const known = await findUser(action, address);
  if (known) return { user: assertSame(known, name), isNew: false };
  const { language = 'en', reason } = wanted;
  const request = { kind: 'user', email: address, name, language, reason } as const;
  const invitation = await invite(action, request);
  try {
    const [[user]] = await directory.batch([
      insertUserStatement(directory, { email: address, name, language }, now),
      auditStatement(directory, {
        at: now,
        actor,
        from,
        action: 'user.created',
        target: { kind: 'user', id: userIdByEmail(address) },
        ...(reason !== undefined && { reason }),
        changes: { email: [null, address], name: [null, name] },
      }),
      ...invitation.statements,
    ]);
    action.defer(wakeMail(action.env));
    // The insert returns its row, or the batch fails.
    return { user: user as UserRow, isNew: true };
  } catch (failure) {
    // Another request has created the user since.
    const winner = failure instanceof ValidationError && (await findUser(action, address));
    if (!winner) throw failure;
    return { user: assertSame(winner, name), isNew: false };
  }
}

/** The user with an address, and whether they have a password. One round trip. */
async function findUser({ directory }: ActionContext, address: string) {
  const [found] = await directory
    .select({ user: users, passwordOf: passwords.user_id })
    .from(users)
    .leftJoin(passwords, eq(passwords.user_id, users.id))
    .where(isUserEmail(address));
  return found;
}

/** Returns the user of a repeated call. Throws a 409 for another one. */
function assertSame(
  { user, passwordOf }: { user: UserRow; passwordOf: number | null },
  name: string,
): UserRow {
  if (passwordOf === null && user.active && user.name === name) return user;
  throw conflict('email_taken', { email: ['Is the address of another user.'] });
}
