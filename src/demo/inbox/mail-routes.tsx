import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { notFound } from '../../base/errors.ts';
import { settingsOf } from '../../base/settings.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { buildLayoutProps, pageHeaders } from '../../web/render-page.ts';
import { MailsPage } from './mail-page.tsx';
import { listSentMails } from './sent-mails.ts';

const mailPath = '/demo/mail';

/** The content security policy of a mail on a page: styles of its own, and nothing else. */
const mailDirectives = { 'style-src': "'unsafe-inline'", 'script-src': "'none'" };

/**
 * Mounts the mailbox of the demo, which shows the sent mails: a page, the same as JSON, and a page
 * for each mail. `to` selects the mails to one address. Needs no authentication, and exists in the
 * local configuration only.
 */
export function mountMails(app: Hono<AppEnv>) {
  app.get(`${mailPath}.json`, async (c) => {
    const mails = await listSentMails(requireLocal(c), { to: c.req.query('to') });
    return c.json(
      mails.map(({ to, subject, text, html, kind, at }) => ({ to, subject, text, html, kind, at })),
    );
  });
  app.get(mailPath, async (c) => {
    const to = c.req.query('to');
    const mails = await listSentMails(requireLocal(c), { to });
    const { brand } = buildLayoutProps(c, 'en');
    const page = <MailsPage {...{ brand, mails, to }} />;
    return c.html(html`<!doctype html>${page}`, 200, pageHeaders());
  });
  app.get(`${mailPath}/:id{\\d+}`, async (c) => {
    const [mail] = await listSentMails(requireLocal(c), { id: Number(c.req.param('id')) });
    if (!mail) throw notFound();
    return c.html(mail.html, 200, pageHeaders({ directives: mailDirectives }));
  });
}

/** The bindings. Throws 404 unless the configuration is local. */
function requireLocal({ env }: Context<AppEnv>): Env {
  if (!settingsOf(env).isLocal || !env.DEMO) throw notFound();
  return env;
}
