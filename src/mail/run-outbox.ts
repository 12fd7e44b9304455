import { log } from '../base/log.ts';
import { sendDueMails } from './send-mail.ts';
import { wakeMail } from './wake-mail.ts';

/**
 * Sends the due mails, and asks for another run if more are due. With `isSweep`, it also deletes old mails. Never
 * rejects: the sweep looks each minute.
 */
export async function runOutbox(
  env: Env,
  { now, isSweep = false }: { now: () => number; isSweep?: boolean },
): Promise<void> {
  try {
    const { hasMore } = await sendDueMails(env, { now, isSweep });
    if (hasMore) await wakeMail(env);
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 300) : '';
    log('error', 'mail_run_failed', { alert: true, message });
  }
}

/** Sends the due mails that no wake-up reached, and deletes old mails. Cron calls it each minute. Never rejects. */
export const sweepMails = (env: Env, now: number): Promise<void> =>
  runOutbox(env, { now: () => now, isSweep: true });
