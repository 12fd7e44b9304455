import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { checkLonePasskey, checkPassword } from '../../accounts/sign-in/check-credentials.ts';
import { readDeviceHashes } from '../../accounts/sign-in/device-cookie.ts';
import { findBrowserMark, rememberBrowser } from '../../accounts/sign-in/known-browser.ts';
import { isRemembered, touchDeviceStatement } from '../../accounts/sign-in/remembered-devices.ts';
import { hasNoFactor, isPasswordOf } from '../../accounts/sign-in/session-actions.ts';
import { email as address } from '../../base/codecs/fields/string-formats.ts';
import { asStored } from '../../base/codecs/fields/text.ts';
import { browserPaths, homePath } from '../../base/page-paths.ts';
import { uncountAttemptStatements } from '../../data/directory/attempt-counters.ts';
import { wakeMail } from '../../mail/outbox.ts';
import { passkeyScript } from '../assets/assets.ts';
import { FormTokenInput } from '../components/form-fields.tsx';
import { Interpolate, UntrustedName } from '../components/inline-text.tsx';
import { fieldIssue, sentText } from '../forms/form-values.ts';
import { publicForm, type Refusal } from '../forms/form.tsx';
import type { PublicPage } from '../page.ts';
import { findCurrentSession } from './browser-session.ts';
import { startCodeStep } from './code-step.tsx';
import { prepareSession } from './open-session.ts';
import {
  LonePasskeyField,
  passkeyFields,
  readPasskey,
  type PasskeyValues,
} from './passkey-field.tsx';

/** The content of the token of a sign-in form. */
interface SignInState {
  /**
   * The target after signing in: a local path that this service created, never one that was sent.
   */
  returnTo: string;
  /** Name of the app that sent the merchant here. */
  appName?: string;
}

/** Messages about another form, by the query of the page. */
const flashes = {
  here: 'signedOut',
  everywhere: 'signedOutEverywhere',
  password: 'newPassword',
} as const;

interface SignInNote {
  /** An address that is known already. */
  email?: string;
  flash?: (typeof flashes)[keyof typeof flashes] | undefined;
}

/**
 * `/session`, also in place of a page that requires a session. A right password starts a session
 * under a new cookie and redirects (303). A wrong one shows the page again (422), or the time to
 * wait (429); an unknown user takes as long and looks the same. A user with a second factor takes
 * the second step, unless the device is remembered: then the session has shown no code. While two
 * other passwords are being checked, the page asks to wait (503), and no attempt is counted.
 */
export const signInForm = publicForm<SignInState, { email: string; password: string }, SignInNote>({
  path: browserPaths.session,
  role: 'public',
  purpose: 'sign-in',
  limit: 'attempts',
  againPath: ({ returnTo }) => returnTo,
  languagePath: (_page, { returnTo }) => returnTo,
  async load(page): Promise<Response> {
    const session = await findCurrentSession(page.c, page.browser, page.now);
    if (session) return page.redirect(homePath);
    const outcome = `${page.query('signed-out') ?? ''}${page.query('done') ?? ''}`;
    const flash = Object.hasOwn(flashes, outcome)
      ? flashes[outcome as keyof typeof flashes]
      : undefined;
    return signInForm.show(page, { returnTo: homePath }, { note: { flash } });
  },
  fields: ({ signIn: t }) =>
    z.object({ email: sentText, password: sentText }).check((payload) => {
      const { email, password } = payload.value;
      const errors = { email: t.emailMissing, password: t.passwordMissing };
      for (const [name, value] of Object.entries({ email, password })) {
        if (value.trim() !== '') continue;
        payload.issues.push(fieldIssue(value, errors[name as keyof typeof errors], name));
      }
    }),
  view(page, state, { email = '', flash } = {}) {
    const { messages, settings } = page;
    const { appName } = state;
    const { signIn: t, security } = messages;
    return {
      title: t.title,
      flash: flash && (flash === 'newPassword' ? security.reset.done : t[flash]),
      paragraphs:
        appName === undefined
          ? []
          : [<Interpolate text={t.waiting} parts={{ app: <UntrustedName name={appName} /> }} />],
      fields: [
        {
          name: 'email',
          label: t.email,
          type: 'email',
          value: email,
          // The script of passkeys proposes them here.
          autocomplete: 'username webauthn',
        },
        { name: 'password', label: t.password, type: 'password', autocomplete: 'current-password' },
      ],
      submit: t.submit,
      links: [
        { href: browserPaths.forgottenPassword, text: security.forgotten.link },
        ...(settings.signUp === 'closed'
          ? []
          : [{ href: browserPaths.signUp, text: security.signUp.link }]),
      ],
      after: <PasskeySignIn {...{ page, state }} />,
      scripts: [passkeyScript],
    };
  },
  async submit(page, { email: sentEmail, password }, { returnTo }) {
    const { c, now, browser } = page;
    const email = asStored(address, sentEmail.trim());
    const action = page.actionOf();
    const trustedBy = await findBrowserMark(c, email, now);
    const checked = await checkPassword(page, { email, password, trustedBy });
    if ('kind' in checked) {
      return checked.kind === 'wrong'
        ? { errors: [{ text: page.messages.signIn.wrong }] }
        : checked;
    }
    const { account, counted } = checked;
    const uncount = uncountAttemptStatements(action.directory, counted);
    const startSecondStep = () => startCodeStep(page, account, { returnTo, trustedBy });
    const { userId, hasSecondFactor } = account;
    const device = { userId, hashes: hasSecondFactor ? await readDeviceHashes(c) : [] };
    if (hasSecondFactor && device.hashes.length === 0) {
      await action.directory.batch([...uncount]);
      return startSecondStep();
    }
    const session = await prepareSession(c, action, { browser });
    const isEnough = hasSecondFactor ? isRemembered(device, now) : hasNoFactor(account);
    const isStillRight = sql`${isPasswordOf(account)} and ${isEnough}`;
    const statements = await session.start(userId, isStillRight);
    const [, , , started] = await action.directory.batch([
      ...statements,
      ...uncount,
      ...(hasSecondFactor ? [touchDeviceStatement(action, device, session.isStarted)] : []),
    ]);
    if (started.length === 0) {
      return hasSecondFactor ? startSecondStep() : page.redirect(browserPaths.session);
    }
    action.defer(wakeMail(action.env));
    session.setCookie();
    await rememberBrowser(c, email, now);
    return page.redirect(returnTo);
  },
});

/**
 * `/session/passkey`, below the form of the password: starts a session by a passkey alone (303). It
 * verifies its user, so it counts as password and second factor. Whatever is wrong with it, the
 * sign-in page says the same (422), or the time to wait (429). After a new password, it says that
 * the password is needed once.
 */
export const passkeySignInForm = publicForm<SignInState, PasskeyValues>({
  path: browserPaths.passkeySignIn,
  role: 'public',
  purpose: 'sign-in-by-passkey',
  limit: 'attempts',
  againPath: ({ returnTo }) => returnTo,
  load: (page) => page.redirect(browserPaths.session),
  fields: () => z.object(passkeyFields),
  async submit(page, values, state): Promise<Response> {
    const { c, now, browser, messages } = page;
    const { fields } = messages.security;
    const refuse = (refusal: Refusal) => signInForm.show(page, state, { refusal });
    const wrong = { errors: [{ text: fields.passkeyWrong }] };
    const action = page.actionOf();
    const sent = (await readPasskey(page, 'alone', values)) ?? 'invalid';
    const checked = await checkLonePasskey(action, sent, page.clientAddress);
    if ('kind' in checked) {
      if (checked.kind === 'wrong') return refuse(wrong);
      if (checked.kind === 'needsPassword')
        return refuse({ errors: [{ text: fields.passkeyNeedsPassword }] });
      return refuse(checked);
    }
    const { use, counted } = checked;
    const { passkey, isGood, statement } = use;
    const session = await prepareSession(c, action, { browser, factorAt: now });
    const [, , , started] = await action.directory.batch([
      ...(await session.start(passkey.userId, isGood)),
      statement,
      ...uncountAttemptStatements(action.directory, counted),
    ]);
    if (started.length === 0) return refuse(wrong);
    action.defer(wakeMail(action.env));
    session.setCookie();
    await rememberBrowser(c, passkey.email, now);
    return page.redirect(state.returnTo);
  },
});

/** The form of a passkey, which shows its button in a browser that has the API. */
const PasskeySignIn = async ({ page, state }: { page: PublicPage; state: SignInState }) => (
  <form method="post" action={passkeySignInForm.path}>
    <FormTokenInput formToken={await passkeySignInForm.seal(page, state)} />
    <LonePasskeyField page={page} texts={page.messages.security.passkeyAlone} />
  </form>
);
