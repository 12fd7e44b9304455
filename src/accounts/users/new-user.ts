import { sql, type SQL } from 'drizzle-orm';
import type { Language } from '../../base/languages.ts';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { passwords } from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { userIdByEmail } from './insert-user.ts';

/** A user who has proved the address and chosen a password. */
export interface NewUser {
  name: string;
  email: string;
  passwordHash: string;
  language: Language;
  isOperator?: boolean;
}

/**
 * The statements that create a confirmed user with a password, or complete one without; only if
 * `where` holds.
 */
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
