import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { RecoveryCodesPage } from '../../pages/security/second-factor-page.tsx';
import { renewRecoveryCodes } from '../../people/second-factor/switch.ts';
import { ShownOnce } from '../../session/forms/shown-once.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { securityPaths } from './paths.ts';

/** New codes on their way to the page that shows them once. */
export const shownCodes = new ShownOnce<string[]>('recovery-codes', 'recovery-codes');

/** `GET /account/security/second-factor/codes`: the codes that were just made. A reload no longer shows them. */
export async function showRecoveryCodes(c: Context<AppEnv>, context: PageContext) {
  const codes = await shownCodes.take(c, context);
  const props = buildDashboardLayoutProps(c, context, 'security', securityPaths.codes);
  // No language switch: the codes are gone once the page is requested again.
  const dashboard = codes
    ? { ...props, layout: { ...props.layout, languageHrefs: undefined } }
    : props;
  const page = (
    <RecoveryCodesPage
      {...{ dashboard, codes }}
      next={browserPaths.security}
      renew={securityPaths.newCodes}
    />
  );
  return renderPage(c, page);
}

/** `GET /account/security/second-factor/codes/new`: asks whether to make new codes. */
export async function showNewCodes(c: Context<AppEnv>, context: PageContext) {
  if (!context.session.user.hasSecondFactor) return c.redirect(browserPaths.security, 303);
  const dashboard = buildDashboardLayoutProps(c, context, 'security', securityPaths.newCodes);
  const t = messagesFor(dashboard.layout.language).security.factor;
  const page = (
    <ConfirmPage
      {...{ dashboard }}
      title={t.codesQuestion}
      question={t.codesQuestion}
      paragraphs={[t.codesConsequence]}
      action={securityPaths.newCodes}
      formToken={await sealFormToken(c, context, securityPaths.newCodes)}
      submit={t.codesSubmit}
      isDangerous={false}
      back={browserPaths.security}
    />
  );
  return renderPage(c, page);
}

/** `POST /account/security/second-factor/codes/new`: replaces the codes, and shows the new ones (303). */
export async function submitNewCodes(c: Context<AppEnv>, context: PageContext) {
  const { layout } = buildDashboardLayoutProps(c, context, 'security', securityPaths.newCodes);
  const owner = { userId: context.session.user.id, language: layout.language };
  const codes = await renewRecoveryCodes(pageDeed(c, context), owner);
  if (!codes) return c.redirect(browserPaths.security, 303);
  await shownCodes.stash(c, context, codes);
  return c.redirect(securityPaths.codes, 303);
}
