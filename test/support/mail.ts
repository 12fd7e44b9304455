import { env } from 'cloudflare:workers';
import { unseal } from '../../src/base/crypto/seal.ts';
import { type Language } from '../../src/base/languages.ts';
import { settingsOf } from '../../src/base/settings.ts';
import type { MailKind } from '../../src/mail/kinds.ts';
import { mailSealContext } from '../../src/mail/outbox.ts';
import { renderMail } from '../../src/mail/render.tsx';

/** A mail of the outbox, whether or not it has been sent. */
export interface OutboxMail {
  kind: string;
  to: string;
  language: Language;
  subject: string;
  text: string;
  html: string;
  /** Why it is not sent; `null` if nothing speaks against it. */
  dropped: string | null;
  data: unknown;
}

interface MailRow {
  kind: string;
  language: Language;
  to_address: string;
  to_name: string | null;
  data: string;
  dropped: string | null;
}

/**
 * The mails to an address, newest first. It reads the outbox, so nothing needs to be sent or waited
 * for.
 */
export async function sentMails(
  to: string,
  kind?: MailKind,
  bindings: Env = env,
): Promise<OutboxMail[]> {
  const settings = settingsOf(bindings);
  const { results } = await env.DIRECTORY.prepare(
    'select * from mails where to_address = ?1 collate nocase and (?2 is null or kind = ?2) order by id desc',
  )
    .bind(to, kind ?? null)
    .all<MailRow>();
  return Promise.all(
    results.map(async (row) => {
      const data: unknown = JSON.parse(
        await unseal(settings.sealingKeys, row.data, mailSealContext),
      );
      const rendered = renderMail(settings, row, data);
      if (!rendered) throw new Error(`The mail ${row.kind} cannot be rendered.`);
      const { subject, text, html } = rendered;
      const { kind, language, dropped, to_address: to } = row;
      return { kind, to, language, subject, text, html, dropped, data };
    }),
  );
}

/** Path and query of the link in the newest mail of a kind to an address. */
export async function lastLink(to: string, kind: MailKind): Promise<string> {
  const [mail] = await sentMails(to, kind);
  const { link } = (mail?.data ?? {}) as { link?: string };
  if (link === undefined) throw new Error(`No mail ${kind} with a link to ${to}.`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}
