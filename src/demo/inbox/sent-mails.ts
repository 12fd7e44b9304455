import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { unseal } from '../../base/crypto/seal.ts';
import { settingsOf } from '../../base/settings.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { mails } from '../../data/schema/directory/mail-tables.ts';
import { mailSealContext } from '../../mail/outbox.ts';
import { renderMail } from '../../mail/render.tsx';
import { makeUnsubscribeLink } from '../../mail/unsubscribe.ts';

/** A mail that was sent, as `/demo/mail.json` shows it. */
export interface SentMail {
  id: number;
  to: string;
  subject: string;
  text: string;
  html: string;
  kind: string;
  /** ISO 8601. */
  at: string;
}

/** Mails that the page shows. */
const shown = 100;

/**
 * The mails that were sent, newest first, to one address if given. The outbox keeps their data
 * locally, so they are rendered again.
 */
export async function listSentMails(
  env: Env,
  { to, id }: { to?: string | undefined; id?: number } = {},
): Promise<SentMail[]> {
  const settings = settingsOf(env);
  const rows = await openDatabase(env.DIRECTORY)
    .select()
    .from(mails)
    .where(
      and(
        isNotNull(mails.sent_at),
        to === undefined ? undefined : sql`lower(${mails.to_address}) = lower(${to})`,
        id === undefined ? undefined : eq(mails.id, id),
      ),
    )
    .orderBy(desc(mails.sent_at), desc(mails.id))
    .limit(shown);
  const rendered = await Promise.all(
    rows.map(async (row) => {
      const data: unknown = JSON.parse(
        await unseal(settings.sealingKeys, row.data, mailSealContext),
      );
      const unsubscribe = await makeUnsubscribeLink(settings, row, row.sent_at ?? 0);
      const mail = renderMail(settings, { ...row, unsubscribe }, data);
      if (!mail) return [];
      const { id, kind, to_address, sent_at } = row;
      const { subject, text, html } = mail;
      const at = new Date(sent_at ?? 0).toISOString();
      return [{ id, to: to_address, subject, text, html, kind, at }];
    }),
  );
  return rendered.flat();
}
