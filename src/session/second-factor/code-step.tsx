import type { Context } from 'hono';
import { withDbErrors } from '../../db/core/errors.ts';
import { uncountAttemptStatements, type SignInAccount } from '../../db/directory/sign-in.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { wakeMail } from '../../mail/wake.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { NarrowFormPage } from '../../pages/security/form-page.tsx';
import { settingsOf } from '../../settings.ts';
import { identifyBrowser, type BrowserIdentity } from '../browser-session.ts';
import { checkCode, rejectionStatus, type Rejection } from '../check.ts';
import { readPageForm } from '../forms/form-body.ts';
import { FormToken } from '../forms/form-token.ts';
import { sessionLifetimes } from '../lifetimes.ts';
import { showFormTokenErrorPage } from '../pages/error-pages.tsx';
import { requestDeed } from '../pages/page-deed.ts';
import { browserPaths } from '../pages/paths.ts';
import { buildNarrowLayoutProps, renderPage } from '../pages/render-page.ts';
import { prepareSession } from '../start-session.ts';
import { rememberBrowser } from '../throttle/known-browser.ts';
import { codeField, rejectionErrors } from './code-field.ts';

/** A user whose password was right. */
interface CodeStep {
  userId: number;
  /** When that password was set: a change since then makes the step worthless. */
  changedAt: number;
  /** Where to redirect after signing in: a local path that the program made. */
  returnTo: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

const codeStepToken = new FormToken<CodeStep>('second-step');

/** Shows the second step of signing in. No session starts before the code: what is known so far is in the form token. */
export const startCodeStep = (
  c: Context<AppEnv>,
  browser: BrowserIdentity,
  { userId, changedAt }: SignInAccount,
  { returnTo, now }: { returnTo: string; now: number },
) => {
  const expiresAt = now + sessionLifetimes.secondStep;
  return showCodeStep(c, browser, { userId, changedAt, returnTo, expiresAt });
};

async function showCodeStep(
  c: Context<AppEnv>,
  browser: BrowserIdentity,
  step: CodeStep,
  rejection?: Rejection | 'missing',
) {
  const layout = buildNarrowLayoutProps(c);
  const messages = messagesFor(layout.language);
  const t = messages.security.code;
  const page = (
    <NarrowFormPage
      {...{ layout }}
      title={t.title}
      paragraphs={[t.lead]}
      action={browserPaths.code}
      formToken={await codeStepToken.seal(settingsOf(c.env), browser, step, step.expiresAt)}
      fields={[codeField(messages)]}
      errors={rejectionErrors(layout.language, 'code', rejection)}
      submit={t.submit}
      links={[{ href: browserPaths.session, text: t.again }]}
    />
  );
  if (!rejection) return renderPage(c, page);
  return renderPage(
    c,
    page,
    rejection === 'missing' ? { status: 422 } : rejectionStatus(rejection),
  );
}

/**
 * `POST /session/code`: starts the session of a user whose password was right (303). A wrong code, or one that was used
 * before, shows the form again (422), or the time to wait (429). Of parallel uses of one code, one starts a session.
 */
export async function handleCodeStep(c: Context<AppEnv>) {
  const now = Date.now();
  const [form, browser] = [await readPageForm(c), await identifyBrowser(c)];
  const opened = await codeStepToken.open(settingsOf(c.env), browser, form, now);
  if ('error' in opened) return showFormTokenErrorPage(c, opened.error, browserPaths.session);
  const step = opened.data;
  const typed = form.get('code') ?? '';
  if (typed.trim() === '') return showCodeStep(c, browser, step, 'missing');
  const deed = requestDeed(c, now);
  const checked = await checkCode(deed, step.userId, typed);
  if ('kind' in checked) return showCodeStep(c, browser, step, checked);
  const { account, counted, use } = checked;
  if (account.changedAt !== step.changedAt) return c.redirect(browserPaths.session, 303);
  const session = await prepareSession(c, deed, { browser });
  const [, , , , , used] = await withDbErrors(
    deed.directory.batch([
      ...(await session.start(account.userId, use.isGood)),
      use.statement,
      ...uncountAttemptStatements(deed.directory, counted),
    ]),
  );
  if (used.length === 0) return showCodeStep(c, browser, step, { kind: 'wrong' });
  deed.defer(wakeMail(deed.env));
  session.setCookie();
  await rememberBrowser(c, account.email, now);
  return c.redirect(step.returnTo, 303);
}
