import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { checkFactor } from '../../accounts/sign-in/check-credentials.ts';
import { makeDeviceToken, readDeviceHashes } from '../../accounts/sign-in/device-cookie.ts';
import { rememberBrowser } from '../../accounts/sign-in/known-browser.ts';
import { rememberDeviceStatements } from '../../accounts/sign-in/remembered-devices.ts';
import { isPasswordOf } from '../../accounts/sign-in/session-actions.ts';
import { sessionLifetimes } from '../../base/auth-lifetimes.ts';
import { browserPaths } from '../../base/page-paths.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { uncountAttemptStatements } from '../../data/directory/attempt-counters.ts';
import type { SignInAccount } from '../../data/directory/sign-in-accounts.ts';
import { wakeMail } from '../../mail/outbox.ts';
import { passkeyScript } from '../assets/assets.ts';
import { sentText, ticked } from '../forms/form-values.ts';
import { publicForm } from '../forms/form.tsx';
import type { PublicPage } from '../page.ts';
import { codeField, LostFactor, refuseProof } from './code-field.tsx';
import { prepareSession } from './open-session.ts';
import { passkeyField, passkeyFields, readPasskey, type PasskeyValues } from './passkey-field.tsx';

/** A user whose password was right. */
interface CodeStep {
  userId: number;
  /** The time when that password was set: a change since then makes the step worthless. */
  changedAt: number;
  /** The target after signing in: a local path that this service created. */
  returnTo: string;
  /** The mark of a browser that is known for the account. */
  trustedBy: string | undefined;
  hasPasskey: boolean;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * `/session/code`: starts the session of a user whose password was right (303), after a code or a
 * passkey. A wrong one, or one that was used before, shows the form again (422), or the time to
 * wait (429). Of parallel uses of one, one wins. Remembers the device if the user ticked that.
 */
export const codeStepForm = publicForm<
  CodeStep,
  { code: string; remember: boolean } & PasskeyValues
>({
  path: browserPaths.code,
  role: 'public',
  purpose: 'second-step',
  limit: 'attempts',
  expiresAt: ({ expiresAt }) => expiresAt,
  againPath: () => browserPaths.session,
  languagePath: () => undefined,
  load: (page) => page.redirect(browserPaths.session),
  fields: () => z.object({ code: sentText, remember: ticked, ...passkeyFields }),
  view(page, { hasPasskey }) {
    const { messages } = page;
    const t = messages.security.code;
    return {
      title: t.title,
      paragraphs: [t.lead],
      fields: [
        codeField(messages),
        ...(hasPasskey ? [passkeyField(page, messages.security.passkeyUse)] : []),
        { name: 'remember', label: t.remember, hint: t.rememberHint, type: 'checkbox' },
      ],
      submit: t.submit,
      after: <LostFactor page={page} />,
      links: [{ href: browserPaths.session, text: t.again }],
      scripts: hasPasskey ? [passkeyScript] : [],
    };
  },
  async submit(page, { code, remember, ...values }, step) {
    const { c, browser, now, messages } = page;
    const passkey = await readPasskey(page, 'get', values);
    const field = passkey ? 'passkey' : 'code';
    if (!passkey && code.trim() === '') return refuseProof(messages, 'code', 'missing');
    const action = page.actionOf();
    const hasPassword = isPasswordOf(step);
    const { userId, trustedBy } = step;
    const sent = {
      userId,
      trustedBy,
      address: page.clientAddress,
      typed: code,
      passkey,
      hasPassword,
    };
    const checked = await checkFactor(action, sent);
    if ('kind' in checked) return refuseProof(messages, field, checked);
    const { account, counted, use } = checked;
    const isStillRight = sql`${use.isGood} and ${hasPassword}`;
    const session = await prepareSession(c, action, { browser, factorAt: now });
    const token = remember ? await makeDeviceToken(c) : undefined;
    const [, , , started, , , used] = await action.directory.batch([
      ...(await session.start(account.userId, isStillRight)),
      use.statement,
      ...(token ? await rememberStatements(page, action, { step, token, session }) : []),
      ...uncountAttemptStatements(action.directory, counted),
      ...(use.told ? [use.told] : []),
    ]);
    if (used.length === 0) return refuseProof(messages, field, { kind: 'wrong' });
    if (started.length === 0) return page.redirect(browserPaths.session);
    action.defer(wakeMail(action.env));
    session.setCookie();
    token?.setCookie();
    await rememberBrowser(c, account.email, now);
    return page.redirect(step.returnTo);
  },
});

/** Remembers this browser, if the session has started. */
const rememberStatements = async (
  { c }: PublicPage,
  action: ActionContext,
  {
    step: { userId },
    token: { tokenHash },
    session: { device, isStarted },
  }: {
    step: CodeStep;
    token: { tokenHash: string };
    session: Awaited<ReturnType<typeof prepareSession>>;
  },
) => {
  const hashes = await readDeviceHashes(c);
  const remembered = { userId, tokenHash, hashes, device };
  return rememberDeviceStatements(action, remembered, isStarted);
};

/**
 * Shows the second step of signing in. No session starts before the code: the form token holds the
 * state so far.
 */
export const startCodeStep = (
  page: PublicPage,
  { userId, changedAt, hasPasskey }: SignInAccount,
  { returnTo, trustedBy }: Pick<CodeStep, 'returnTo' | 'trustedBy'>,
): Promise<Response> => {
  const expiresAt = page.now + sessionLifetimes.secondStep;
  return codeStepForm.show(page, {
    userId,
    changedAt,
    returnTo,
    trustedBy,
    hasPasskey,
    expiresAt,
  });
};
