import { sql } from 'drizzle-orm';
import { withDbErrors } from '../db/core/errors.ts';
import { rawDatabaseStatement } from '../db/core/raw.ts';
import { users } from '../db/schema/directory.ts';
import type { MailLanguage } from '../mail/outbox.ts';
import type { DeedContext } from './deed.ts';

/** Changes the name and the language of a user. `null` leaves the language to the browser. */
export async function changeProfile(
  { directory, now }: DeedContext,
  userId: number,
  { name, language }: { name: string; language: MailLanguage | null },
): Promise<void> {
  await withDbErrors(
    directory.batch([
      rawDatabaseStatement(
        directory,
        sql`update ${users} set name = ${name}, language = ${language}, updated_at = ${now} where id = ${userId}`,
      ),
    ]),
  );
}
