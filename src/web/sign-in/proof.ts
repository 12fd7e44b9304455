import * as z from 'zod';
import { proveSession } from '../../accounts/sign-in/prove-user.ts';
import { browserPaths } from '../../base/page-paths.ts';
import { sentText } from '../forms/form-values.ts';
import { publicForm } from '../forms/form.tsx';
import { SignedInPage } from '../page.ts';
import { findCurrentSession } from './browser-session.ts';
import { checkCode, checkPassword, type Rejection } from './check-credentials.ts';
import { codeField, passwordField, refuseProof } from './code-field.ts';

interface ProofState {
  /** The protected page: a local path that this service created. */
  returnTo: string;
}

/**
 * `/session/proof`, in the place of a protected page: asks a signed-in user for a code of their second factor, or for
 * the password without one. A right one opens protected pages of this session for ten minutes, and leads back (303).
 * Wrong ones are counted as those of a signed-in user.
 */
export const proofForm = publicForm<ProofState, Proof, never, SignedInPage>({
  path: browserPaths.proof,
  role: 'public',
  purpose: 'proof',
  limit: 'attempts',
  againPath: ({ returnTo }) => returnTo,
  languagePath: (_page, { returnTo }, refusal) => (refusal ? undefined : returnTo),
  load: (page) => page.redirect(browserPaths.account),
  fields: () => z.object({ code: sentText, password: sentText }),
  view({ messages, user: { hasSecondFactor, email } }) {
    const t = messages.security.proof;
    return {
      title: t.title,
      paragraphs: [hasSecondFactor ? t.leadCode : t.leadPassword],
      fields: [hasSecondFactor ? codeField(messages) : passwordField(messages)],
      username: email,
      submit: t.submit,
      back: browserPaths.account,
    };
  },
  async submit(publicPage, values, state): Promise<Response> {
    const { c, browser, now } = publicPage;
    const session = await findCurrentSession(c, browser, now);
    if (!session) return publicPage.redirect(state.returnTo);
    const page = new SignedInPage(publicPage, session);
    const rejection = await (session.user.hasSecondFactor ? proveByCode : proveByPassword)(
      page,
      values,
    );
    if (!rejection) return page.redirect(state.returnTo);
    const field = session.user.hasSecondFactor ? 'code' : 'password';
    return proofForm.show(page, state, { refusal: refuseProof(page.messages, field, rejection) });
  },
});

interface Proof {
  code: string;
  password: string;
}

async function proveByCode(
  page: SignedInPage,
  { code }: Proof,
): Promise<Rejection | 'missing' | undefined> {
  if (code.trim() === '') return 'missing';
  const action = page.actionOf();
  const checked = await checkCode(page.c, action, {
    userId: page.user.id,
    trustedBy: page.browser.idHash,
    typed: code,
  });
  if ('kind' in checked) return checked;
  const { counted, use } = checked;
  const isProven = await proveSession(action, { idHash: page.browser.idHash, counted, use });
  return isProven ? undefined : { kind: 'wrong' };
}

async function proveByPassword(
  page: SignedInPage,
  { password }: Proof,
): Promise<Rejection | 'missing' | undefined> {
  if (password === '') return 'missing';
  const action = page.actionOf();
  const { email } = page.user;
  const checked = await checkPassword(page.c, action, { email, password, trustedBy: 'session' });
  if ('kind' in checked) return checked;
  await proveSession(action, { idHash: page.browser.idHash, counted: checked.counted });
  return undefined;
}
