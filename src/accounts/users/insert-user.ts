import { sql } from 'drizzle-orm';
import type { Language } from '../../base/languages.ts';
import type { Database } from '../../data/core/open-database.ts';
import { isUserEmail } from '../../data/directory/sign-in-accounts.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';

/**
 * The statement that creates a user without a password, who sets one by an invitation. A unique
 * index aborts the batch if a user has the address.
 */
export const insertUserStatement = (
  directory: Database,
  { email, name, language }: { email: string; name: string; language?: Language | undefined },
  now: number,
) =>
  directory
    .insert(users)
    .values({
      email,
      name,
      ...(language && { language }),
      allow_notifications: true,
      created_at: now,
      updated_at: now,
    })
    .returning();

/** SQL of the id of the user with an address, also of one that the same batch creates. */
export const userIdByEmail = (email: string) =>
  sql<number>`(select id from ${users} where ${isUserEmail(email)})`;
