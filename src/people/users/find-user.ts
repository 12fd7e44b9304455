import { eq } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { users } from '../../db/schema/directory.ts';
import { notFound } from '../../errors.ts';
import type { DeedContext } from '../deed.ts';
import type { UserRow } from './create-user.ts';

/** Returns a user that a deed is about. Throws a 404. One round trip. */
export async function requireUser(deed: DeedContext, userId: number): Promise<UserRow> {
  const [user] = await withDbErrors(userStatement(deed, userId));
  return assertFound(user);
}

/** The statement that reads the user, also at the end of a batch. */
export const userStatement = ({ directory }: DeedContext, userId: number) =>
  directory.select().from(users).where(eq(users.id, userId));

export function assertFound(user: UserRow | undefined): UserRow {
  if (!user) throw notFound();
  return user;
}
