import * as z from 'zod';
import { cancelEmailChange, requestEmailChange } from '../../accounts/users/change-email.ts';
import { changeProfile } from '../../accounts/users/profile.ts';
import { readableAddress } from '../../base/hosts.ts';
import { languageNames, languages, languageOf } from '../../base/languages.ts';
import { browserPaths, securityPaths } from '../../base/page-paths.ts';
import { loadSecurity } from '../../data/directory/security-overview.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { fieldIssue, sentText } from '../../web/forms/form-values.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import { chooseLanguage } from '../../web/render-page.ts';
import { emailField, nameField } from '../../web/sign-in/link-fields.ts';

/** `/account/profile`: name and language of the user, and the way to another address. */
export const profileForm = userForm({
  path: browserPaths.profile,
  role: 'user',
  limit: 'pages',
  part: 'security',
  load: ({ directory, user, now }) => loadSecurity(directory, user.id, now),
  fields: (messages, page) => z.object({ name: nameField(messages, page), language: sentText }),
  view(page, stored) {
    const { user } = page;
    const t = page.messages.security.profile;
    const flash = page.done(['saved', 'cancelled']);
    const { temporaryEmail = null } = stored ?? {};
    return {
      title: t.title,
      flash: flash && t[flash],
      fields: [
        { name: 'name', label: t.name, type: 'text', autocomplete: 'name', value: user.name },
        {
          name: 'language',
          label: t.language,
          hint: t.languageHint,
          type: 'select',
          options: languages.map((value) => ({ value, text: languageNames[value] })),
          value: page.language,
        },
      ],
      submit: t.submit,
      back: browserPaths.security,
      after: (
        <section aria-labelledby="e-mail">
          <h2 id="e-mail">{t.email}</h2>
          <p>
            <bdi>{readableAddress(user.email)}</bdi>
          </p>
          {temporaryEmail !== null && (
            <p class="measure">
              <Interpolate
                text={t.pending}
                parts={{ email: <bdi>{readableAddress(temporaryEmail)}</bdi> }}
              />{' '}
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
  async submit(page, { name, language: sent }) {
    const language = languageOf(sent) ?? page.language;
    await changeProfile(page.action, page.user, { name, language });
    // Else another choice of this browser would be the language of the next page, and of mails.
    chooseLanguage(page.c, language);
    return page.redirect(`${browserPaths.profile}?done=saved`);
  },
});

/**
 * `/account/profile/e-mail`: sends a link to a new address and notifies the old one. An address of
 * another user gets the same answer.
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
      paragraphs: [mailNotice ?? t.lead.replace('{email}', () => readableAddress(user.email))],
      fields: [{ name: 'email', label: t.fresh, type: 'email', autocomplete: 'email' }],
      submit: t.submit,
      back: browserPaths.profile,
    };
  },
  async submit(page, { email: newEmail }) {
    await requestEmailChange(page.action, { userId: page.user.id, newEmail });
    return page.redirect(browserPaths.profile);
  },
});

/**
 * `/account/profile/e-mail/cancel`: cancels the change that waits for its link. Needs no proof: it
 * takes nothing away.
 */
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
      paragraphs: [t.cancelLead.replace('{email}', () => readableAddress(email))],
      submit: t.cancel,
      back: browserPaths.profile,
    };
  },
  async submit(page) {
    await cancelEmailChange(page.action, page.user.id);
    return page.redirect(`${browserPaths.profile}?done=cancelled`);
  },
});
