import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../db/core/open.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { passwords } from '../../db/schema/credentials.ts';
import { users } from '../../db/schema/directory.ts';
import type { MailLanguage } from '../../mail/outbox.ts';
import { userIdByEmail } from '../users/insert-user.ts';

/** A user who has proved the address and chosen a password. */
export interface NewUser {
  name: string;
  email: string;
  passwordHash: string;
  language: MailLanguage;
  isOperator?: boolean;
}

/** The statements that make a confirmed user with a password, or complete one without; only if `where` holds. */
export function insertUserStatements(
  directory: Database,
  { name, email, passwordHash, language, isOperator = false }: NewUser,
  now: number,
  where: SQL,
) {
  const values = sql`${email}, ${name}, ${language}, ${Number(isOperator)}, ${now}, ${now}, ${now}`;
  return [
    rawDatabaseStatement(
      directory,
      sql`insert into ${users} (email, name, language, super_user, confirmed_at, created_at, updated_at)
        select ${values} where ${where}
        on conflict do update set name = excluded.name, language = excluded.language,
          confirmed_at = excluded.confirmed_at, updated_at = excluded.updated_at`,
    ),
    rawDatabaseStatement(
      directory,
      sql`insert into ${passwords} (user_id, hash, changed_at)
        select ${userIdByEmail(email)}, ${passwordHash}, ${now} where ${where}`,
    ),
  ] as const;
}
