import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { toFieldErrors } from '../../codecs/body/field-errors.ts';
import { email } from '../../codecs/fields/string-formats.ts';
import { line } from '../../codecs/fields/text.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { isUserEmail } from '../../db/directory/sign-in.ts';
import { passwords } from '../../db/schema/credentials.ts';
import { users } from '../../db/schema/directory.ts';
import { conflict, ValidationError } from '../../errors.ts';
import type { MailLanguage } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import { invite } from '../invitations/invite.ts';
import { insertUserStatement, userIdByEmail } from './insert-user.ts';

export type UserRow = typeof users.$inferSelect;

interface NewUser {
  name: string;
  email: string;
  language?: MailLanguage | undefined;
}

/** The fields of a user that a person types. */
export const newUserFields = { name: line(120), email };

const NewUserFields = z.object(newUserFields);

/**
 * Makes a user without a password and sends them an invitation to set one. The same call again changes nothing until it is
 * accepted. Throws a 409 for the address of another user, and a `ValidationError`. One batch.
 */
export async function createUser(
  deed: DeedContext,
  wanted: NewUser,
): Promise<{ user: UserRow; isNew: boolean }> {
  const { directory, now, actor, from } = deed;
  const { data: fields, error } = NewUserFields.safeParse(wanted);
  if (!fields) throw new ValidationError(toFieldErrors(error));
  const { name, email: address } = fields;
  const known = await findUser(deed, address);
  if (known) return { user: assertSame(known, name), isNew: false };
  const { language = 'en' } = wanted;
  const invitation = await invite(deed, { kind: 'user', email: address, name, language });
  try {
    const [[user]] = await withDbErrors(
      directory.batch([
        insertUserStatement(directory, { email: address, name, language }, now),
        auditStatement(directory, {
          at: now,
          actor,
          from,
          action: 'user.created',
          target: { kind: 'user', id: userIdByEmail(address) },
          changes: { email: [null, address], name: [null, name] },
        }),
        ...invitation.statements,
      ]),
    );
    deed.defer(wakeMail(deed.env));
    // The insert returns its row, or the batch fails.
    return { user: user as UserRow, isNew: true };
  } catch (failure) {
    // Another request has made the user since.
    const winner = failure instanceof ValidationError && (await findUser(deed, address));
    if (!winner) throw failure;
    return { user: assertSame(winner, name), isNew: false };
  }
}

/** The user with an address, and whether they have a password. One round trip. */
async function findUser({ directory }: DeedContext, address: string) {
  const [found] = await withDbErrors(
    directory
      .select({ user: users, passwordOf: passwords.user_id })
      .from(users)
      .leftJoin(passwords, eq(passwords.user_id, users.id))
      .where(isUserEmail(address)),
  );
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
