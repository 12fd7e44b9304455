import { sql } from 'drizzle-orm';
import type { Language } from '../../base/languages.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';

/** Changes the name and the language of a user. `null` leaves the language to the browser. */
export async function changeProfile(
  { directory, now }: ActionContext,
  userId: number,
  { name, language }: { name: string; language: Language | null },
): Promise<void> {
  await directory.batch([
    rawDatabaseStatement(
      directory,
      sql`update ${users} set name = ${name}, language = ${language}, updated_at = ${now} where id = ${userId}`,
    ),
  ]);
}
