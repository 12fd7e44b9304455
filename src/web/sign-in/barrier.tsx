import { InfoPage } from '../components/info-page.tsx';
import type { SignedInPage, UserPage } from '../page.ts';
import { securityPaths } from '../paths.ts';
import { isProved, proofForm } from './proof.ts';

/** An obstacle before a page that the user may open otherwise. */
type Barrier = 'operator' | 'store' | 'proof';

/**
 * Returns the step that the user must take before a page opens: set up a second factor for operators' pages and for
 * stores that demand it, show a code of it once in this session, or prove their identity.
 */
export function findBarrier(
  { role, isForOperators, needsProof = false }: UserPage,
  page: SignedInPage,
): Barrier | undefined {
  const { session, user, now } = page;
  if (!user.hasSecondFactor) {
    if (isForOperators && page.settings.isOperatorMfaRequired) return 'operator';
    if (role && page.store.mfaRequired) return 'store';
  }
  const needsCode = isForOperators || (role !== undefined && page.store.mfaRequired);
  if (needsCode && user.hasSecondFactor && session.factorAt === null) return 'proof';
  const isAsked = needsProof === 'withSecondFactor' ? user.hasSecondFactor : needsProof;
  return isAsked && !isProved(session, now) ? 'proof' : undefined;
}

/** Shows the first step: the page of the proof, which leads back, or (403) the way to the second factor. */
export function showBarrier(barrier: Barrier, page: SignedInPage) {
  const returnTo = page.address;
  if (barrier === 'proof') return proofForm.show(page, { returnTo });
  const t = page.messages.security.needed;
  const layout = page.layout(returnTo);
  const link = { href: securityPaths.factor, text: t.submit };
  const info = <InfoPage {...{ layout, link }} title={t.title} paragraphs={[t[barrier]]} />;
  return page.render(info, { status: 403 });
}
