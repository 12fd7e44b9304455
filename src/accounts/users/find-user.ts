import { eq } from 'drizzle-orm';
import { conflict, notFound, type HttpError } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { erasedAddress } from '../../data/directory/user-overview.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import type { UserRow } from './create-user.ts';

/** Returns a user that an action is about. Throws a 404. One round trip. */
export async function requireUser(action: ActionContext, userId: number): Promise<UserRow> {
  const [user] = await userStatement(action, userId);
  return assertFound(user);
}

/** The statement that reads the user, also at the end of a batch. */
export const userStatement = ({ directory }: ActionContext, userId: number) =>
  directory.select().from(users).where(eq(users.id, userId));

/** The error of an action that a user who is locked out, or erased, does not allow. */
export const inactiveError = ({ id, email }: Pick<UserRow, 'id' | 'email'>): HttpError =>
  conflict(email === erasedAddress(id) ? 'user_erased' : 'user_inactive');

export function assertFound(user: UserRow | undefined): UserRow {
  if (!user) throw notFound();
  return user;
}
