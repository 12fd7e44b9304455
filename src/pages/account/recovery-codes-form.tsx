import { renewRecoveryCodes } from '../../accounts/sign-in/switch.ts';
import { browserPaths, securityPaths } from '../../base/page-paths.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { confirmation } from '../../web/forms/form.tsx';
import { ShownOnce } from '../../web/forms/received-form.ts';
import type { SignedInPage } from '../../web/page.ts';

/** New codes on their way to the page that shows them once. */
export const shownCodes = new ShownOnce<string[]>('recovery-codes', 'recovery-codes');

/**
 * `GET /account/security/second-factor/codes`: the codes that were just created. A reload no longer
 * shows them.
 */
export async function showRecoveryCodes(page: SignedInPage) {
  const codes = await shownCodes.take(page);
  const { factor: t, overview } = page.messages.security;
  if (!codes) {
    return (
      <DashboardLayout {...page.dashboard('security')} title={t.codesShown}>
        <h1>{t.codesShown}</h1>
        <p class="measure">{t.codesShownLead}</p>
        <p class="actions">
          <a class="button" href={securityPaths.newCodes}>
            {overview.newCodes}
          </a>
        </p>
      </DashboardLayout>
    );
  }
  return (
    <DashboardLayout
      {...page.dashboard('security', null)}
      title={t.codesTitle}
      scripts={[copyButtonScript]}
    >
      <h1>{t.codesTitle}</h1>
      <p class="measure">{t.codesLead}</p>
      <CopyableCode language={page.language} label={t.codesList} value={codes.join('\n')} />
      <p class="actions">
        <a class="button" href={browserPaths.security}>
          {t.codesSaved}
        </a>
      </p>
    </DashboardLayout>
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
