import { sql } from 'drizzle-orm';
import type { Database } from '../../db/core/open.ts';
import { isUserEmail } from '../../db/directory/sign-in.ts';
import { users } from '../../db/schema/directory.ts';
import type { MailLanguage } from '../../mail/outbox.ts';

/**
 * The statement that makes a user without a password, who sets one by an invitation. A unique index aborts the batch if a
 * user has the address.
 */
export const insertUserStatement = (
  directory: Database,
  { email, name, language }: { email: string; name: string; language?: MailLanguage | undefined },
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

/** SQL of the id of the user with an address, also of one that the same batch makes. */
export const userIdByEmail = (email: string) =>
  sql<number>`(select id from ${users} where ${isUserEmail(email)})`;
