import type { Context } from 'hono';
import type { UserSession } from '../../db/directory/sessions.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { NarrowFormPage } from '../../pages/security/form-page.tsx';
import { proveSession } from '../../people/sessions/prove.ts';
import { settingsOf } from '../../settings.ts';
import { findCurrentSession, identifyBrowser } from '../browser-session.ts';
import { checkCode, checkPassword, rejectionStatus, type Rejection } from '../check.ts';
import { readPageForm } from '../forms/form-body.ts';
import { FormToken } from '../forms/form-token.ts';
import { sessionLifetimes } from '../lifetimes.ts';
import { showFormTokenErrorPage } from '../pages/error-pages.tsx';
import type { PageContext } from '../pages/page-context.ts';
import { requestDeed } from '../pages/page-deed.ts';
import { browserPaths } from '../pages/paths.ts';
import { buildNarrowLayoutProps, renderPage } from '../pages/render-page.ts';
import { codeField, passwordField, rejectionErrors } from './code-field.ts';

interface ProofState {
  /** The page that asked: a local path that the program made. */
  returnTo: string;
}

const proofToken = new FormToken<ProofState>('proof');

/** Whether the user of a session has proved who they are recently enough for what is protected. */
export const isProved = ({ provedAt }: Pick<UserSession, 'provedAt'>, now: number) =>
  now - provedAt < sessionLifetimes.proof;

/** Asks a signed-in user for a code of their second factor, or for the password without one. It leads back to `returnTo`. */
export async function showProofPage(
  c: Context<AppEnv>,
  { browser, session: { user }, now }: Pick<PageContext, 'browser' | 'session' | 'now'>,
  returnTo: string,
  rejection?: Rejection | 'missing',
) {
  const layout = buildNarrowLayoutProps(c, rejection ? undefined : returnTo, user);
  const messages = messagesFor(layout.language);
  const t = messages.security.proof;
  const name = user.hasSecondFactor ? 'code' : 'password';
  const expiresAt = now + sessionLifetimes.form;
  const page = (
    <NarrowFormPage
      {...{ layout }}
      title={t.title}
      paragraphs={[user.hasSecondFactor ? t.leadCode : t.leadPassword]}
      action={browserPaths.proof}
      formToken={await proofToken.seal(settingsOf(c.env), browser, { returnTo }, expiresAt)}
      fields={[user.hasSecondFactor ? codeField(messages) : passwordField(messages)]}
      username={user.email}
      errors={rejectionErrors(layout.language, name, rejection)}
      submit={t.submit}
      back={{ href: browserPaths.account, text: messages.account.cancel }}
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
 * `POST /session/proof`: a right code or password opens protected pages of this session for ten minutes, and leads back
 * (303). Wrong ones are counted as those of a signed-in user.
 */
export async function handleProof(c: Context<AppEnv>) {
  const now = Date.now();
  const [form, browser] = [await readPageForm(c), await identifyBrowser(c)];
  const opened = await proofToken.open(settingsOf(c.env), browser, form, now);
  if ('error' in opened) return showFormTokenErrorPage(c, opened.error, opened.data?.returnTo);
  const { returnTo } = opened.data;
  const session = await findCurrentSession(c, browser, now);
  if (!session) return c.redirect(returnTo, 303);
  const context: PageContext = { browser, session, now };
  const rejection = session.user.hasSecondFactor
    ? await proveByCode(c, context, form.get('code') ?? '')
    : await proveByPassword(c, context, form.get('password') ?? '');
  if (rejection) return showProofPage(c, context, returnTo, rejection);
  return c.redirect(returnTo, 303);
}

async function proveByCode(
  c: Context<AppEnv>,
  { browser, session, now }: PageContext,
  typed: string,
): Promise<Rejection | 'missing' | undefined> {
  if (typed.trim() === '') return 'missing';
  const deed = requestDeed(c, now);
  const checked = await checkCode(deed, session.user.id, typed);
  if ('kind' in checked) return checked;
  const { counted, use } = checked;
  const isProven = await proveSession(deed, { idHash: browser.idHash, counted, use });
  return isProven ? undefined : { kind: 'wrong' };
}

async function proveByPassword(
  c: Context<AppEnv>,
  { browser, session, now }: PageContext,
  password: string,
): Promise<Rejection | 'missing' | undefined> {
  if (password === '') return 'missing';
  const deed = requestDeed(c, now);
  const { email } = session.user;
  const checked = await checkPassword(c, deed, { email, password, trustedBy: 'session' });
  if ('kind' in checked) return checked;
  await proveSession(deed, { idHash: browser.idHash, counted: checked.counted });
  return undefined;
}
