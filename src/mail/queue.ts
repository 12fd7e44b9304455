import { log } from '../log.ts';
import { sendDueMails } from './send.ts';
import { wakeMail } from './wake.ts';

/**
 * Consumer of the queue `mail`: sends what is due. Messages of a batch are the same, so one run answers all. Never rejects
 * and never retries: the sweep looks each minute.
 */
export async function handleMailWakeups(
  batch: Pick<MessageBatch, 'ackAll'>,
  env: Env,
  now: () => number = Date.now,
): Promise<void> {
  try {
    const { hasMore } = await sendDueMails(env, { now });
    if (hasMore) await wakeMail(env);
  } catch (error) {
    logFailure(error);
  }
  batch.ackAll();
}

/** Sends what no wake-up reached, and deletes old mails. Cron calls it each minute. Never rejects. */
export async function sweepMails(env: Env, now: number): Promise<void> {
  try {
    const { hasMore } = await sendDueMails(env, { now: () => now, isSweep: true });
    if (hasMore) await wakeMail(env);
  } catch (error) {
    logFailure(error);
  }
}

function logFailure(error: unknown) {
  const message = error instanceof Error ? error.message.slice(0, 300) : '';
  log('error', 'mail_run_failed', { alert: true, message });
}
