import { settingsOf } from '../base/settings.ts';

/** A mail as it leaves. `to` is one address; `key` names the mail, also when it is sent again. */
export interface RenderedMail {
  key: string;
  to: { email: string; name: string | null };
  subject: string;
  text: string;
  html: string;
  /** The page that switches such mails off; absent for those about security. */
  unsubscribe?: string;
}

/** How a mail was taken: `sent`, to be tried again, or refused for good because the address bounced before. */
export type SendResult = { outcome: 'sent' } | { outcome: 'retry' | 'bounced'; code: string };

/** A sender of mails. */
export interface MailSender {
  /** Never rejects. */
  send: (mail: RenderedMail) => Promise<SendResult>;
}

/** Whether this deployment can send mails: it has the binding `EMAIL` and a sender's address. */
export const isMailConfigured = (env: Env): boolean => mailSenderOf(env) !== undefined;

/** The sender of this deployment; `undefined` without one, so that mails wait. */
export function mailSenderOf(env: Env): MailSender | undefined {
  const { mailFrom, brand } = settingsOf(env);
  // A deployment without a sender has no such binding.
  const binding: SendEmail | undefined = env.EMAIL;
  return mailFrom === undefined || binding === undefined
    ? undefined
    : bindingSender(binding, { email: mailFrom, name: brand.name });
}

/** Codes of the platform for an address that it no longer sends to. */
const bounceCodes = new Set(['E_RECIPIENT_SUPPRESSED']);

/** Sends with the binding of the platform, which builds the message itself: no value can become a header. */
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
            ...(unsubscribe !== undefined && { 'List-Unsubscribe': `<${unsubscribe}>` }),
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
