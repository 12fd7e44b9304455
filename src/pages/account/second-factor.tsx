import { encode } from 'uqr';
import * as z from 'zod';
import { switchSecondFactorOff, switchSecondFactorOn } from '../../accounts/sign-in/switch.ts';
import { makeTotpSecret, totpUri } from '../../accounts/sign-in/totp.ts';
import { sessionLifetimes } from '../../base/auth-lifetimes.ts';
import { browserPaths, securityPaths } from '../../base/page-paths.ts';
import { loadSecurity } from '../../data/directory/security-overview.ts';
import { copyButtonScript, passkeyScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { sentText } from '../../web/forms/form-values.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import { FormToken } from '../../web/forms/received-form.ts';
import type { SignedInPage } from '../../web/page.ts';
import { PasskeyLink } from '../../web/sign-in/passkey-field.tsx';
import { shownCodes } from './recovery-codes-form.tsx';

/**
 * Carries the secret, in base32, from the page to its form. Nothing is stored before a code has
 * proved that an app has it.
 */
const secretToken = new FormToken<{ userId: number; secret: string }>('second-factor-secret');

/**
 * Opens the secret of a form; `undefined` if another user has signed in meanwhile, or the form is
 * old.
 */
async function openSecret({ settings, browser, now, user }: SignedInPage, sealed: string) {
  const opened = await secretToken.open(settings, browser, sealed, now);
  return 'error' in opened || opened.data.userId !== user.id ? undefined : opened.data.secret;
}

/** Whether the user has an authenticator app, not only a passkey. */
const hasApp = async ({ user, directory, now }: SignedInPage) =>
  user.hasSecondFactor && ((await loadSecurity(directory, user.id, now))?.hasApp ?? false);

/**
 * `/account/security/second-factor`: shows a new secret, and switches the second factor on once a
 * code of the app is right. Redirects a user who has an app already to the page that changes it.
 */
export const secondFactorForm = userForm({
  path: securityPaths.factor,
  role: 'user',
  // It shows the secret.
  proof: 'toShow',
  limit: 'pages',
  part: 'security',
  load: async (page, sent) =>
    (await hasApp(page)) ? page.redirect(browserPaths.security) : sealSecret(page, sent),
  fields: () => z.object({ code: sentText, secret_token: sentText }),
  view(page, { secret, sealed, uri }) {
    const t = page.messages.security.factor;
    return {
      title: t.title,
      paragraphs: [t.lead],
      intro: <NewSecret {...{ page, secret, uri }} />,
      hidden: { secret_token: sealed },
      fields: [
        {
          name: 'code',
          label: t.code,
          hint: t.codeHint,
          type: 'code',
          autocomplete: 'one-time-code',
        },
      ],
      submit: t.submit,
      back: browserPaths.security,
      after: (
        <PasskeyLink
          href={securityPaths.newPasskey}
          text={page.messages.security.passkeys.instead}
        />
      ),
      scripts: [copyButtonScript, passkeyScript],
    };
  },
  async submit(page, { code, secret_token: sealed }) {
    const { user, messages, browser } = page;
    const secret = await openSecret(page, sealed);
    // The page creates a new secret.
    if (secret === undefined) return page.redirect(securityPaths.factor);
    const { fields, factor } = messages.security;
    const refuse = (text: string) => ({ errors: [{ field: 'code', text }] });
    if (code.trim() === '') return refuse(fields.codeMissing);
    const wanted = { userId: user.id, idHash: browser.idHash, secret, code };
    const result = await switchSecondFactorOn(page.action, wanted);
    if (result === 'wrong') return refuse(factor.wrong);
    if (result === 'already') return page.redirect(browserPaths.security);
    await shownCodes.stash(page, result.codes);
    return page.redirect(securityPaths.codes);
  },
});

/** The secret of the form that was sent, else a new one, with its picture. */
async function sealSecret(page: SignedInPage, sent: URLSearchParams | undefined) {
  const { settings, browser, now, user } = page;
  const secret =
    (sent && (await openSecret(page, sent.get('secret_token') ?? ''))) ?? makeTotpSecret();
  const expiresAt = now + sessionLifetimes.form;
  const sealed = await secretToken.seal(settings, browser, { userId: user.id, secret }, expiresAt);
  const uri = totpUri(secret, { issuer: settings.serviceName, label: user.email });
  return { secret, sealed, uri };
}

/** A new secret as a QR code, as a link for the phone that shows the page, and as text. */
const NewSecret = ({
  page: { language, messages },
  secret,
  uri,
}: {
  page: SignedInPage;
  /** In base32. */
  secret: string;
  /** The address (`otpauth:`) that the QR code holds. */
  uri: string;
}) => {
  const { factor: t } = messages.security;
  const { size, path } = drawQrCode(uri);
  return (
    <>
      <svg
        class="qr-code"
        role="img"
        aria-label={t.picture}
        viewBox={`0 0 ${size} ${size}`}
        width="240"
        height="240"
        shape-rendering="crispEdges"
      >
        <rect width={size} height={size} fill="white" />
        <path d={path} fill="black" />
      </svg>
      <p>
        <Interpolate text={t.onPhone} parts={{ link: <a href={uri}>{t.openApp}</a> }} />
      </p>
      <CopyableCode
        {...{ language }}
        label={t.typed}
        value={secret.replace(/(.{4})(?=.)/g, '$1 ')}
      />
    </>
  );
};

/** Modules around the code that must stay light (ISO/IEC 18004). */
const quietZone = 4;

function drawQrCode(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: quietZone });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: dark.join('') };
}

/** `/account/security/second-factor/off`: switches it off. */
export const secondFactorOffForm = confirmation({
  path: securityPaths.factorOff,
  role: 'user',
  proof: true,
  limit: 'pages',
  part: 'security',
  async load(page) {
    const security = await loadSecurity(page.directory, page.user.id, page.now);
    return security?.hasApp
      ? { keepsPasskeys: security.passkeys.length > 0 }
      : page.redirect(browserPaths.security);
  },
  ask({ messages, user }, { keepsPasskeys }) {
    const t = messages.security.factor;
    const question = keepsPasskeys ? t.appOffQuestion : t.offQuestion;
    const last = [t.offConsequence, ...(user.isOperator ? [t.offOperator] : [])];
    return {
      title: question,
      question,
      paragraphs: keepsPasskeys ? [t.appOffConsequence] : last,
      submit: t.off,
      back: browserPaths.security,
    };
  },
  async submit(page) {
    const { user, browser } = page;
    const owner = { userId: user.id, idHash: browser.idHash };
    await switchSecondFactorOff(page.action, owner);
    return page.redirect(`${browserPaths.security}?done=off`);
  },
});
