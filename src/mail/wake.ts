import { log } from '../log.ts';

/** A message: look at the outbox. It carries no data, so a lost, late or repeated one does no harm. */
const wakeMessage = { v: 1 } as const;

/** Asks for a look at the outbox, after the commit of a mail. Never rejects: the sweep looks each minute. */
export async function wakeMail({ MAIL }: Pick<Env, 'MAIL'>): Promise<void> {
  try {
    await MAIL.send(wakeMessage);
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 300) : '';
    log('warn', 'mail_not_woken', { message });
  }
}
