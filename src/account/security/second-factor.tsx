import type { Context } from 'hono';
import { encode } from 'uqr';
import type { AppEnv } from '../../http/app-env.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { SecondFactorPage, type QrCode } from '../../pages/security/second-factor-page.tsx';
import { switchSecondFactorOff, switchSecondFactorOn } from '../../people/second-factor/switch.ts';
import { makeTotpSecret, totpUri } from '../../people/second-factor/totp.ts';
import { FormToken } from '../../session/forms/form-token.ts';
import { sessionLifetimes } from '../../session/lifetimes.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { securityPaths } from './paths.ts';
import { shownCodes } from './recovery-codes.tsx';

interface NewSecret {
  userId: number;
  /** In base32. */
  secret: string;
}

/** Carries the secret from the page to its form. Nothing is stored before a code has proved that an app has it. */
const secretToken = new FormToken<NewSecret>('second-factor-secret');

/** `GET /account/security/second-factor`: a new secret; a user who has a second factor is told how to change it. */
export function showSecondFactor(c: Context<AppEnv>, context: PageContext) {
  if (context.session.user.hasSecondFactor) return c.redirect(browserPaths.security, 303);
  return showSecret(c, context, makeTotpSecret());
}

async function showSecret(
  c: Context<AppEnv>,
  context: PageContext,
  secret: string,
  error?: 'missing' | 'wrong',
) {
  const settings = settingsOf(c.env);
  const { browser, now } = context;
  const { id: userId, email } = context.session.user;
  const expiresAt = now + sessionLifetimes.form;
  const page = (
    <SecondFactorPage
      dashboard={buildDashboardLayoutProps(c, context, 'security', securityPaths.factor)}
      action={securityPaths.factor}
      formToken={await sealFormToken(c, context, securityPaths.factor)}
      secretToken={await secretToken.seal(settings, browser, { userId, secret }, expiresAt)}
      qrCode={drawQrCode(totpUri(secret, { issuer: settings.serviceName, label: email }))}
      back={browserPaths.security}
      {...{ secret, error }}
    />
  );
  return renderPage(c, page, { status: error ? 422 : 200 });
}

/** Modules around the code that must stay light (ISO/IEC 18004). */
const quietZone = 4;

function drawQrCode(text: string): QrCode {
  const { size, data } = encode(text, { ecc: 'M', border: quietZone });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: dark.join('') };
}

/** `POST /account/security/second-factor`: switches it on (303) once a code of the app is right, else shows the form (422). */
export async function submitSecondFactor(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { browser, session, now } = context;
  const userId = session.user.id;
  const sealed = form.get('secret_token');
  const opened = await secretToken.openText(settingsOf(c.env), browser, sealed, now);
  // Another user may have signed in meanwhile, or the form is old: the page makes a new secret.
  if ('error' in opened || opened.data.userId !== userId) {
    return c.redirect(securityPaths.factor, 303);
  }
  const { secret } = opened.data;
  const code = form.get('code') ?? '';
  if (code.trim() === '') return showSecret(c, context, secret, 'missing');
  const deed = pageDeed(c, context);
  const { language } = buildDashboardLayoutProps(
    c,
    context,
    'security',
    securityPaths.factor,
  ).layout;
  const result = await switchSecondFactorOn(deed, { userId, language, secret, code });
  if (result === 'wrong') return showSecret(c, context, secret, 'wrong');
  if (result === 'already') return c.redirect(browserPaths.security, 303);
  await shownCodes.stash(c, context, result.codes);
  return c.redirect(securityPaths.codes, 303);
}

/** `GET /account/security/second-factor/off`: asks whether to switch it off. */
export async function showSecondFactorOff(c: Context<AppEnv>, context: PageContext) {
  const { user } = context.session;
  if (!user.hasSecondFactor) return c.redirect(browserPaths.security, 303);
  const dashboard = buildDashboardLayoutProps(c, context, 'security', securityPaths.factorOff);
  const t = messagesFor(dashboard.layout.language).security.factor;
  const page = (
    <ConfirmPage
      {...{ dashboard }}
      title={t.offQuestion}
      question={t.offQuestion}
      paragraphs={[t.offConsequence, ...(user.isOperator ? [t.offOperator] : [])]}
      action={securityPaths.factorOff}
      formToken={await sealFormToken(c, context, securityPaths.factorOff)}
      submit={t.off}
      isDangerous
      back={browserPaths.security}
    />
  );
  return renderPage(c, page);
}

/** `POST /account/security/second-factor/off`: switches it off (303). */
export async function submitSecondFactorOff(c: Context<AppEnv>, context: PageContext) {
  const { layout } = buildDashboardLayoutProps(c, context, 'security', securityPaths.factorOff);
  const owner = { userId: context.session.user.id, language: layout.language };
  await switchSecondFactorOff(pageDeed(c, context), owner);
  return c.redirect(`${browserPaths.security}?done=off`, 303);
}
