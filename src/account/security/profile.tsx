import type { Context } from 'hono';
import { openDatabase } from '../../db/core/open.ts';
import { loadSecurity } from '../../db/directory/security.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { languages } from '../../pages/i18n/languages.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { DashboardFormPage } from '../../pages/security/form-page.tsx';
import { ProfilePage } from '../../pages/security/profile-page.tsx';
import { requestEmailChange } from '../../people/email/change-email.ts';
import { changeProfile } from '../../people/profile.ts';
import { errorsOf, parseEmail, parseName, valueOf } from '../../session/links/fields.ts';
import { limitMails } from '../../session/links/mail-limit.ts';
import { refusalErrors, refusalStatus, type Refusal } from '../../session/links/refusal.ts';
import { mailNotice } from '../../session/pages/mail-notice.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { securityPaths } from './paths.ts';

/** `GET /account/profile`: name, language and address of the user. Shows the form again with status 422 for an error. */
export async function showProfile(
  c: Context<AppEnv>,
  context: PageContext,
  sent?: { name: string; language: string; error: string },
) {
  const { user } = context.session;
  const stored = await loadSecurity(openDatabase(c.env.DIRECTORY), user.id);
  const page = (
    <ProfilePage
      dashboard={buildDashboardLayoutProps(c, context, 'security', browserPaths.profile)}
      action={browserPaths.profile}
      formToken={await sealFormToken(c, context, browserPaths.profile)}
      name={sent?.name ?? user.name}
      language={sent?.language ?? stored?.language ?? ''}
      error={sent?.error}
      email={user.email}
      temporaryEmail={stored?.temporaryEmail ?? null}
      emailHref={securityPaths.email}
      isSaved={c.req.query('done') === 'saved'}
      back={browserPaths.security}
    />
  );
  return renderPage(c, page, { status: sent ? 422 : 200 });
}

/** `POST /account/profile`: changes name and language (303). */
export async function submitProfile(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { layout } = buildDashboardLayoutProps(c, context, 'security', browserPaths.profile);
  const name = parseName(form, messagesFor(layout.language));
  const language = form.get('language') ?? '';
  const [error] = errorsOf(name);
  if (error) {
    return showProfile(c, context, { name: form.get('name') ?? '', language, error: error.text });
  }
  await changeProfile(pageDeed(c, context), context.session.user.id, {
    name: valueOf(name),
    language: languages.find((known) => known === language) ?? null,
  });
  return c.redirect(`${browserPaths.profile}?done=saved`, 303);
}

/** `GET /account/profile/e-mail`: asks for a new address. Shows the form again for a refusal. */
export async function showEmailChange(
  c: Context<AppEnv>,
  context: PageContext,
  { email = '', refusal }: { email?: string; refusal?: Refusal } = {},
) {
  const dashboard = buildDashboardLayoutProps(c, context, 'security', securityPaths.email);
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.security.emailChange;
  const page = (
    <DashboardFormPage
      {...{ dashboard }}
      title={t.title}
      paragraphs={[
        mailNotice(c.env, messages) ?? t.lead.replace('{email}', () => context.session.user.email),
      ]}
      fields={[
        { name: 'email', label: t.fresh, type: 'email', autocomplete: 'email', value: email },
      ]}
      action={securityPaths.email}
      formToken={await sealFormToken(c, context, securityPaths.email)}
      errors={refusal && refusalErrors(refusal, dashboard.layout.language)}
      submit={t.submit}
      back={{ href: browserPaths.profile, text: messages.account.cancel }}
    />
  );
  return renderPage(c, page, refusal && refusalStatus(refusal));
}

/**
 * `POST /account/profile/e-mail`: sends a link to the new address and tells the old one (303). An address that somebody has
 * gets the same answer.
 */
export async function submitEmailChange(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { user } = context.session;
  const { language } = buildDashboardLayoutProps(
    c,
    context,
    'security',
    securityPaths.email,
  ).layout;
  const messages = messagesFor(language);
  const email = parseEmail(form, messages);
  const sent = form.get('email') ?? '';
  if ('error' in email) {
    return showEmailChange(c, context, { email: sent, refusal: { errors: errorsOf(email) } });
  }
  if (email.value === user.email) {
    const errors = [{ field: 'email', text: messages.security.emailChange.same }];
    return showEmailChange(c, context, { email: sent, refusal: { errors } });
  }
  const deed = pageDeed(c, context);
  const refusal = await limitMails(c, deed, email.value);
  if (refusal) return showEmailChange(c, context, { email: sent, refusal });
  await requestEmailChange(deed, { userId: user.id, newEmail: email.value, language });
  return c.redirect(browserPaths.profile, 303);
}
