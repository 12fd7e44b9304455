import { openDatabase } from '../data/core/open-database.ts';
import { waitingStatement, type WaitingMails } from './due-mails.ts';
import { isMailConfigured } from './sender.ts';

/** How the sending of mails is, for operators. Without a sender, mails wait for three days. */
export interface MailHealth extends WaitingMails {
  configured: boolean;
}

/** Reads how many mails are due, and since when. One round trip, which reads a row for each of up to 500. */
export async function readMailHealth(env: Env, now: number): Promise<MailHealth> {
  const directory = openDatabase(env.DIRECTORY);
  const [[waiting]] = await directory.batch([waitingStatement(directory, now)]);
  return { oldest: null, waiting: 0, ...waiting, configured: isMailConfigured(env) };
}
