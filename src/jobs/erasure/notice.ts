import { withDbErrors } from '../../db/core/errors.ts';
import { openDatabase } from '../../db/core/open.ts';
import type { Statement } from '../../db/core/statement.ts';
import { insertMailToMembers, prepareMail } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import { settingsOf } from '../../settings.ts';

/** The members of a store are told so long before its data are erased. */
export const erasureNoticeMs = 7 * 86_400_000;

interface ClosingStore {
  id: number;
  name: string;
  erase_at: number;
}

/** Tells the members when the data will be erased. The mail has a key of the day, so a repetition sends none. One round trip. */
export async function announceErasure(
  env: Env,
  { id, name, erase_at: date }: ClosingStore,
  now: number,
): Promise<void> {
  const directory = openDatabase(env.DIRECTORY);
  const mail = await prepareMail(settingsOf(env), {
    kind: 'store_closing',
    language: 'en',
    data: { store: name, date },
    key: `store-closing-${id}-${date}`,
  });
  const roles = ['owner', 'manager', 'viewer'] as const;
  const statement: Statement = insertMailToMembers(directory, mail, { storeId: id, roles }, now);
  await withDbErrors(directory.batch([statement]));
  await wakeMail(env);
}
