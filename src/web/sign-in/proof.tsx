import * as z from 'zod';
import {
  checkFactor,
  checkPassword,
  type Rejection,
} from '../../accounts/sign-in/check-credentials.ts';
import { proveSession } from '../../accounts/sign-in/prove-user.ts';
import { browserPaths } from '../../base/page-paths.ts';
import { passkeyScript } from '../assets/assets.ts';
import { sentText } from '../forms/form-values.ts';
import { publicForm, type Refusal } from '../forms/form.tsx';
import { SignedInPage } from '../page.ts';
import { findCurrentSession } from './browser-session.ts';
import { codeField, LostFactor, passwordField, refuseProof } from './code-field.tsx';
import { passkeyField, passkeyFields, readPasskey, type PasskeyValues } from './passkey-field.tsx';

interface ProofState {
  /** The protected page: a local path that this service created. */
  returnTo: string;
}

/**
 * `/session/proof`, in the place of a protected page: asks a signed-in user for a code or a
 * passkey. Without a second factor it asks for the password. A right one opens protected pages of
 * this session for ten minutes, and leads back (303). Wrong ones are counted as those of a
 * signed-in user.
 */
export const proofForm = publicForm<ProofState, Proof, never, SignedInPage>({
  path: browserPaths.proof,
  role: 'public',
  purpose: 'proof',
  limit: 'attempts',
  againPath: ({ returnTo }) => returnTo,
  languagePath: (_page, { returnTo }, refusal) => (refusal ? undefined : returnTo),
  load: (page) => page.redirect(browserPaths.account),
  fields: () => z.object({ code: sentText, password: sentText, ...passkeyFields }),
  view(page) {
    const { messages, user } = page;
    const { hasSecondFactor, email } = user;
    const t = messages.security.proof;
    return {
      title: t.title,
      paragraphs: [hasSecondFactor ? t.leadCode : t.leadPassword],
      fields: hasSecondFactor
        ? [codeField(messages), passkeyField(page, messages.security.passkeyUse)]
        : [passwordField(messages)],
      username: email,
      submit: t.submit,
      after: hasSecondFactor && <LostFactor page={page} />,
      back: browserPaths.account,
      scripts: hasSecondFactor ? [passkeyScript] : [],
    };
  },
  async submit(publicPage, values, state): Promise<Response> {
    const { c, browser, now } = publicPage;
    const session = await findCurrentSession(c, browser, now);
    if (!session) return publicPage.redirect(state.returnTo);
    const page = new SignedInPage(publicPage, session);
    if (session.user.hasSecondFactor) {
      const refusal = await proveByFactor(page, values);
      return refusal ? proofForm.show(page, state, { refusal }) : page.redirect(state.returnTo);
    }
    const rejection = await proveByPassword(page, values);
    if (!rejection) return page.redirect(state.returnTo);
    const refusal = refuseProof(page.messages, 'password', rejection);
    return proofForm.show(page, state, { refusal });
  },
});

interface Proof extends PasskeyValues {
  code: string;
  password: string;
}

async function proveByFactor(
  page: SignedInPage,
  { code, ...values }: Proof,
): Promise<Refusal | undefined> {
  const passkey = await readPasskey(page, 'get', values);
  const refuse = (rejection: Rejection | 'missing') =>
    refuseProof(page.messages, passkey ? 'passkey' : 'code', rejection);
  if (!passkey && code.trim() === '') return refuse('missing');
  const action = page.actionOf();
  const { browser, user, session } = page;
  const hasShownCode = session.factorAt !== null;
  const attempt = {
    userId: user.id,
    address: page.clientAddress,
    trustedBy: browser.idHash,
    hasShownCode,
  };
  const wanted = { ...attempt, typed: code, passkey };
  const checked = await checkFactor(action, wanted);
  if ('kind' in checked) return refuse(checked);
  const { counted, use } = checked;
  const isProven = await proveSession(action, { idHash: browser.idHash, counted, use });
  return isProven ? undefined : refuse({ kind: 'wrong' });
}

async function proveByPassword(
  page: SignedInPage,
  { password }: Proof,
): Promise<Rejection | 'missing' | undefined> {
  if (password === '') return 'missing';
  const action = page.actionOf();
  const { email } = page.user;
  const checked = await checkPassword(page, { email, password, trustedBy: 'session' });
  if ('kind' in checked) return checked;
  await proveSession(action, { idHash: page.browser.idHash, counted: checked.counted });
  return undefined;
}
