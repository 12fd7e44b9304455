import { memberRoles } from '../../base/roles.ts';
import { settingsOf } from '../../base/settings.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import type { Statement } from '../../data/core/statement.ts';
import { insertMailToMembers, prepareMail, wakeMail } from '../../mail/outbox.ts';

interface ClosingStore {
  id: number;
  name: string;
  erase_at: number;
}

/**
 * Notifies the members of the day of the erasure. The mail has a key of the day, so a repetition
 * sends none. One round trip.
 */
export async function announceErasure(
  env: Env,
  { id, name, erase_at: date }: ClosingStore,
  now: number,
): Promise<void> {
  const directory = openDatabase(env.DIRECTORY);
  const mail = await prepareMail(settingsOf(env), {
    kind: 'store_closing',
    data: { store: name, date },
    key: `store-closing-${id}-${date}`,
  });
  const everyone = { storeId: id, roles: memberRoles };
  const statement: Statement = insertMailToMembers(directory, mail, everyone, now);
  await directory.batch([statement]);
  await wakeMail(env);
}
