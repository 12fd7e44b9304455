import { renewRecoveryCodes } from '../../accounts/sign-in/switch.ts';
import { browserPaths, securityPaths } from '../../base/page-paths.ts';
import { confirmation } from '../../web/forms/form.tsx';
import { ShownOnce } from '../../web/forms/received-form.ts';
import type { SignedInPage } from '../../web/page.ts';
import { RecoveryCodesPage } from './second-factor-page.tsx';

/** New codes on their way to the page that shows them once. */
export const shownCodes = new ShownOnce<string[]>('recovery-codes', 'recovery-codes');

/** `GET /account/security/second-factor/codes`: the codes that were just created. A reload no longer shows them. */
export async function showRecoveryCodes(page: SignedInPage) {
  const codes = await shownCodes.take(page);
  return (
    <RecoveryCodesPage
      {...{ codes }}
      dashboard={page.dashboard('security', codes ? null : page.path)}
      next={browserPaths.security}
      renew={securityPaths.newCodes}
    />
  );
}

/** Redirects a user without a second factor. */
const requireFactor = (page: SignedInPage) =>
  page.user.hasSecondFactor ? undefined : page.redirect(browserPaths.security);

/** `/account/security/second-factor/codes/new`: replaces the codes, and shows the new ones. */
export const newCodesForm = confirmation({
  path: securityPaths.newCodes,
  role: 'user',
  proof: true,
  limit: 'pages',
  part: 'security',
  load: requireFactor,
  ask({ messages: { security } }) {
    const { codesQuestion, codesConsequence, codesSubmit: submit } = security.factor;
    return {
      title: codesQuestion,
      question: codesQuestion,
      paragraphs: [codesConsequence],
      submit,
      isDangerous: false,
      back: browserPaths.security,
    };
  },
  async submit(page) {
    const { user, browser } = page;
    const owner = { userId: user.id, idHash: browser.idHash };
    const codes = await renewRecoveryCodes(page.action, owner);
    if (!codes) return page.redirect(browserPaths.security);
    await shownCodes.stash(page, codes);
    return page.redirect(securityPaths.codes);
  },
});
