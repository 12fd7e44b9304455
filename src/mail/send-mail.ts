import { unseal } from '../base/crypto/seal.ts';
import { dayMs, hourMs, minuteMs } from '../base/durations.ts';
import { log } from '../base/log.ts';
import { recordPoint } from '../base/metrics.ts';
import { type Settings, settingsOf } from '../base/settings.ts';
import { openDatabase, type Database } from '../data/core/open-database.ts';
import { mutableKinds, unblockableKinds } from './kinds.ts';
import {
  countBeforeStatement,
  type LeasedMail,
  leaseStatement,
  type MailResult,
  type MailsBefore,
  mailBindingOf,
  mailSealContext,
  mailsPerHour,
  purgeStatement,
  resultStatements,
  type WaitingMails,
  waitingStatement,
  wakeMail,
} from './outbox.ts';
import { type RenderedMail, renderMail } from './render.tsx';
import { makeUnsubscribeLink, oneClick } from './unsubscribe.ts';

/**
 * Sends the due mails, and asks for another run if more are due. With `isSweep`, it also deletes
 * old mails. Never rejects: the sweep looks each minute.
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

/**
 * Sends the due mails that no wake-up reached, and deletes old mails. Cron calls it each minute.
 * Never rejects.
 */
export const sweepMails = (env: Env, now: number): Promise<void> =>
  runOutbox(env, { now: () => now, isSweep: true });

/**
 * Whether the user switched this kind of mail off: all that may be, or this one. Never those about
 * security.
 */
function isMuted(kind: string, allowsNotifications: boolean, muted: string | null): boolean {
  if (!mutableKinds.has(kind)) return false;
  return !allowsNotifications || (muted !== null && parseKinds(muted).includes(kind));
}

const parseKinds = (json: string): unknown[] => {
  const kinds: unknown = JSON.parse(json);
  return Array.isArray(kinds) ? kinds : [];
};

/** Mails of one step: they are leased, sent side by side and recorded together. */
const stepSize = 6;

/** Steps of one run; the rest waits for the next minute or wake-up. */
const maxSteps = 10;

/** Delays after failed attempts; the last one is used from then on. */
const retryDelays = [1, 5, 15, 60, 180, 360].map((minutes) => minutes * minuteMs);

/** A mail that could not be sent for so long is given up. */
const giveUpMs = 3 * dayMs;

/** A mail that waits longer than this is worth an alert. */
const alertMs = 15 * minuteMs;

interface RunOptions {
  now: () => number;
  sender?: MailSender | undefined;
  /** Once a minute: also deletes old mails, and reports how many wait. */
  isSweep?: boolean;
}

/**
 * Sends the due mails of the outbox, each at least once. Returns how many were sent, and whether
 * more is due. Without a sender everything waits. Two round trips for six mails, one if nothing is
 * due.
 */
export async function sendDueMails(
  env: Env,
  { now, sender = mailSenderOf(env), isSweep = false }: RunOptions,
): Promise<{ sent: number; hasMore: boolean }> {
  const directory = openDatabase(env.DIRECTORY);
  if (!sender) {
    if (isSweep) await directory.batch([purgeStatement(directory, now())]);
    return { sent: 0, hasMore: false };
  }
  const counts = { sent: 0, dropped: 0, failed: 0 };
  let hasMore = true;
  for (let step = 0; hasMore && step < maxSteps; step += 1) {
    const at = now();
    const [leased, [waiting]] = await leaseMails(directory, at, isSweep && step === 0);
    if (waiting) reportWaiting(env, waiting, at);
    const results = await Promise.all(leased.map((mail) => sendOne(env, sender, mail, at)));
    const [first, ...others] = resultStatements(directory, results, {
      now: now(),
      keepsData: settingsOf(env).isLocal,
    });
    if (first) await directory.batch([first, ...others]);
    for (const { outcome } of results) {
      counts[outcome === 'sent' ? 'sent' : outcome === 'later' ? 'failed' : 'dropped'] += 1;
    }
    hasMore = leased.length === stepSize;
  }
  const { sent, dropped, failed } = counts;
  if (sent + dropped + failed > 0) {
    log('info', 'mails_sent', counts);
    recordPoint(env, 'mail', { names: ['run'], values: [sent, dropped, failed] });
  }
  return { sent, hasMore };
}

async function leaseMails(
  directory: Database,
  now: number,
  isSweep: boolean,
): Promise<[leased: CountedMail[], waiting: WaitingMails[]]> {
  const lease = leaseStatement(directory, { now, limit: stepSize });
  const count = countBeforeStatement(directory, { now });
  if (!isSweep) {
    const [leased, counts] = await directory.batch([lease, count]);
    return [withCounts(leased, counts), []];
  }
  const [leased, counts, waiting] = await directory.batch([
    lease,
    count,
    waitingStatement(directory, now),
    purgeStatement(directory, now),
  ]);
  return [withCounts(leased, counts), waiting];
}

function withCounts(leased: readonly LeasedMail[], counts: readonly MailsBefore[]): CountedMail[] {
  const before = new Map(counts.map((count) => [count.id, count.before]));
  return leased.map((mail) => ({ ...mail, before: before.get(mail.id) ?? 0 }));
}

/** A mail, and how many of its kind the address got lately or gets before it. */
type CountedMail = LeasedMail & { before: number };

function reportWaiting(env: Env, { oldest, waiting }: WaitingMails, now: number) {
  if (oldest === null) return;
  const waitedMs = now - oldest;
  recordPoint(env, 'mail', { names: ['waiting'], values: [waiting, waitedMs] });
  if (waitedMs > alertMs) log('error', 'mails_wait', { alert: true, waiting, waitedMs });
}

/** Decides about one mail and sends it. Never rejects. */
async function sendOne(
  env: Env,
  sender: MailSender,
  mail: CountedMail,
  now: number,
): Promise<MailResult> {
  const { id, kind, to_address: address, created_at: createdAt, attempts } = mail;
  const drop = (reason: string): MailResult => ({ id, outcome: 'dropped', reason });
  if (mail.blocked !== null && !unblockableKinds.has(kind)) return drop(mail.blocked);
  if (isMuted(kind, mail.allowsNotifications !== 0, mail.muted)) return drop('muted');
  if (now - createdAt > giveUpMs) return drop('too_late');
  if (mail.before >= mailsPerHour) return { id, outcome: 'later', dueAt: now + hourMs };
  const rendered = await renderLeased(settingsOf(env), mail, now);
  if (!rendered) {
    log('error', 'mail_unreadable', { alert: true, mail: id, kind });
    return drop('unreadable');
  }
  const result = await sender.send({ ...rendered, key: mail.key });
  if (result.outcome === 'sent') return { id, outcome: 'sent' };
  log('warn', 'mail_not_sent', { mail: id, kind, attempts, code: result.code });
  if (result.outcome === 'bounced') return { id, outcome: 'bounced', address };
  const delay = retryDelays[Math.min(attempts, retryDelays.length) - 1] ?? minuteMs;
  return { id, outcome: 'later', dueAt: now + delay };
}

async function renderLeased(settings: Settings, mail: LeasedMail, now: number) {
  try {
    const data: unknown = JSON.parse(
      await unseal(settings.sealingKeys, mail.data, mailSealContext),
    );
    const unsubscribe = mutableKinds.has(mail.kind)
      ? await makeUnsubscribeLink(settings, mail, now)
      : undefined;
    return renderMail(settings, { ...mail, unsubscribe }, data);
  } catch {
    return undefined;
  }
}

/**
 * How a mail was taken: `sent`, to be tried again, or refused for good because the address bounced
 * before.
 */
export type SendResult = { outcome: 'sent' } | { outcome: 'retry' | 'bounced'; code: string };

/** A sender of mails. */
export interface MailSender {
  /** Never rejects. */
  send: (mail: RenderedMail) => Promise<SendResult>;
}

/** The sender of this deployment; `undefined` without one, so that mails wait. */
function mailSenderOf(env: Env): MailSender | undefined {
  const found = mailBindingOf(env);
  return (
    found && bindingSender(found.binding, { email: found.from, name: settingsOf(env).brand.name })
  );
}

/** Codes of the platform for an address that it no longer sends to. */
const bounceCodes = new Set(['E_RECIPIENT_SUPPRESSED']);

/**
 * Sends with the binding of the platform, which builds the message itself: no value can become a
 * header.
 */
function bindingSender(binding: SendEmail, from: EmailAddress): MailSender {
  return {
    send: async ({ key, to, subject, text, html, unsubscribe }) => {
      try {
        await binding.send({
          from,
          to: to.name ? { email: to.email, name: to.name } : to.email,
          subject,
          text,
          html,
          headers: {
            'X-Entity-Ref-ID': key,
            'X-Auto-Response-Suppress': 'All',
            ...(unsubscribe !== undefined && {
              'List-Unsubscribe': `<${unsubscribe}>`,
              'List-Unsubscribe-Post': oneClick,
            }),
          },
        });
        return { outcome: 'sent' };
      } catch (error) {
        const code = codeOf(error);
        return { outcome: bounceCodes.has(code) ? 'bounced' : 'retry', code };
      }
    },
  };
}

/** The code of a failure. Its message may repeat the address, so it goes nowhere. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code.slice(0, 60)
    : 'unknown';
