import * as z from 'zod';
import { cancelEmailChange, requestEmailChange } from '../../accounts/users/change-email.ts';
import { changeProfile } from '../../accounts/users/profile.ts';
import { languageNames, languages } from '../../base/languages.ts';
import { browserPaths, securityPaths } from '../../base/page-paths.ts';
import { loadSecurity } from '../../data/directory/security-overview.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { fieldIssue, sentText } from '../../web/forms/form-values.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import { emailField, nameField } from '../../web/sign-in/link-fields.ts';

/** `/account/profile`: name and language of the user, and the way to another address. */
export const profileForm = userForm({
  path: browserPaths.profile,
  role: 'user',
  limit: 'pages',
  part: 'security',
  load: ({ directory, user, now }) => loadSecurity(directory, user.id, now),
  fields: (messages) => z.object({ name: nameField(messages), language: sentText }),
  view(page, stored) {
    const { user } = page;
    const t = page.messages.security.profile;
    const { temporaryEmail = null } = stored ?? {};
    return {
      title: t.title,
      flash: page.query('done') === 'saved' ? t.saved : undefined,
      fields: [
        { name: 'name', label: t.name, type: 'text', autocomplete: 'name', value: user.name },
        {
          name: 'language',
          label: t.language,
          hint: t.languageHint,
          type: 'select',
          // Empty for that of the browser.
          options: [
            { value: '', text: t.languageNone },
            ...languages.map((value) => ({ value, text: languageNames[value] })),
          ],
          value: stored?.language ?? '',
        },
      ],
      submit: t.submit,
      back: browserPaths.security,
      after: (
        <section aria-labelledby="e-mail">
          <h2 id="e-mail">{t.email}</h2>
          <p>
            <bdi>{user.email}</bdi>
          </p>
          {temporaryEmail !== null && (
            <p class="measure">
              <Interpolate text={t.pending} parts={{ email: <bdi>{temporaryEmail}</bdi> }} />{' '}
              <a href={securityPaths.cancelEmail}>{page.messages.security.emailChange.cancel}</a>
            </p>
          )}
          <p>
            <a href={securityPaths.email}>{t.changeEmail}</a>
          </p>
        </section>
      ),
    };
  },
  async submit(page, { name, language }) {
    await changeProfile(page.action, page.user.id, {
      name,
      language: languages.find((known) => known === language) ?? null,
    });
    return page.redirect(`${browserPaths.profile}?done=saved`);
  },
});

/**
 * `/account/profile/e-mail`: sends a link to a new address and notifies the old one. An address of another user gets
 * the same answer.
 */
export const emailChangeForm = userForm({
  path: securityPaths.email,
  role: 'user',
  proof: true,
  limit: 'mails',
  part: 'security',
  fields: (messages, { user }) =>
    z.object({ email: emailField(messages) }).check(({ value: { email }, issues }) => {
      if (email !== user.email) return;
      issues.push(fieldIssue(email, messages.security.emailChange.same, 'email'));
    }),
  view({ messages, mailNotice, user }) {
    const t = messages.security.emailChange;
    return {
      title: t.title,
      paragraphs: [mailNotice ?? t.lead.replace('{email}', () => user.email)],
      fields: [{ name: 'email', label: t.fresh, type: 'email', autocomplete: 'email' }],
      submit: t.submit,
      back: browserPaths.profile,
    };
  },
  async submit(page, { email: newEmail }) {
    const { user, language } = page;
    await requestEmailChange(page.action, { userId: user.id, newEmail, language });
    return page.redirect(browserPaths.profile);
  },
});

/** `/account/profile/e-mail/cancel`: cancels the change that waits for its link. Needs no proof: it takes nothing away. */
export const emailChangeCancelForm = confirmation({
  path: securityPaths.cancelEmail,
  role: 'user',
  limit: 'pages',
  part: 'security',
  async load(page) {
    const stored = await loadSecurity(page.directory, page.user.id, page.now);
    return stored?.temporaryEmail ?? page.redirect(browserPaths.profile);
  },
  ask({ messages }, email) {
    const t = messages.security.emailChange;
    return {
      title: t.cancelQuestion,
      question: t.cancelQuestion,
      paragraphs: [t.cancelLead.replace('{email}', () => email)],
      submit: t.cancel,
      back: browserPaths.profile,
    };
  },
  async submit(page) {
    await cancelEmailChange(page.action, page.user.id);
    return page.redirect(browserPaths.profile);
  },
});
