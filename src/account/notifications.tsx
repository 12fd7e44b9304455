import type { Context } from 'hono';
import { openDatabase } from '../db/core/open.ts';
import type { AppEnv } from '../http/app-env.ts';
import { mutableKinds } from '../mail/kinds.ts';
import { isMailConfigured } from '../mail/sender.ts';
import { NotificationsPage } from '../pages/account/notifications-page.tsx';
import { changeMailPreferences, findMailPreferences } from '../people/users/mail-preferences.ts';
import { pageDeed } from '../session/pages/page-deed.ts';
import { browserPaths } from '../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../session/pages/user-pages.ts';

const path = browserPaths.notifications;

/** `GET /account/notifications`: which mails the user gets. */
export async function showNotifications(c: Context<AppEnv>, context: PageContext) {
  const { id, email } = context.session.user;
  const directory = openDatabase(c.env.DIRECTORY);
  const { allows, muted } = await findMailPreferences({ directory }, id);
  const page = (
    <NotificationsPage
      dashboard={buildDashboardLayoutProps(c, context, 'account', path)}
      action={path}
      formToken={await sealFormToken(c, context, path)}
      email={email}
      allows={allows}
      kinds={mutableKinds.map((kind) => ({ kind, isOn: !muted.includes(kind) }))}
      isSaved={c.req.query('done') === 'saved'}
      isMailConfigured={isMailConfigured(c.env)}
      back={browserPaths.account}
    />
  );
  return renderPage(c, page);
}

/** `POST /account/notifications`: every kind that is not ticked is switched off. */
export async function submitNotifications(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const ticked = form.getAll('kinds');
  await changeMailPreferences(pageDeed(c, context), context.session.user.id, {
    allows: form.get('allows') === 'yes',
    muted: mutableKinds.filter((kind) => !ticked.includes(kind)),
  });
  return c.redirect(`${path}?done=saved`, 303);
}
