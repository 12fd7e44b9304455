import * as z from 'zod';
import { hashNewPassword } from '../../accounts/sign-in/check-credentials.ts';
import { requestPasswordReset, resetPassword } from '../../accounts/users/reset-password.ts';
import { browserPaths, linkPagePaths, linkPath } from '../../base/page-paths.ts';
import { publicForm, type NoState } from '../forms/form.tsx';
import { userActor } from '../page.ts';
import { emailField, emailView, newPasswordViews, withNewPassword } from './link-fields.ts';
import { findOpenLink, loadLink, showDeadLink, type LinkState } from './link-form.ts';

const sentPath = `${browserPaths.forgottenPassword}?sent=yes`;

/**
 * `/password/forgotten`: sends a link to set a new password. The answer is the same for every
 * address.
 */
export const forgottenPasswordForm = publicForm<NoState, { email: string }>({
  path: browserPaths.forgottenPassword,
  role: 'public',
  purpose: 'forgotten-password',
  limit: 'mails',
  async load(page) {
    if (page.query('sent') !== 'yes') return {};
    const t = page.messages.security.forgotten;
    const notice = page.mailNotice;
    const info =
      notice === undefined
        ? { title: t.sentTitle, paragraphs: [t.sent, t.sentHint] }
        : { title: t.title, paragraphs: [notice] };
    const link = { href: browserPaths.session, text: t.back };
    return page.info({ ...info, link }, { path: sentPath });
  },
  fields: (messages) => z.object({ email: emailField(messages) }),
  view({ messages }) {
    const t = messages.security.forgotten;
    return {
      title: t.title,
      paragraphs: [t.lead],
      fields: [emailView(messages)],
      submit: t.submit,
      links: [{ href: browserPaths.session, text: t.back }],
    };
  },
  async submit(page, { email }) {
    await requestPasswordReset(page.actionOf(), email);
    return page.redirect(sentPath);
  },
});

/** `/password/reset?token=...`: sets a new password. */
export const passwordResetForm = publicForm<LinkState, { password: string }>({
  path: linkPagePaths.password_reset,
  role: 'public',
  purpose: 'password-reset',
  limit: 'passwords',
  againPath: ({ token }) => linkPath('password_reset', token),
  load: (page) => loadLink(page, 'password_reset'),
  fields: (messages) => withNewPassword(messages, {}),
  view({ messages }, { link }) {
    const t = messages.security.reset;
    return {
      title: t.title,
      paragraphs: [t.lead.replace('{email}', () => link.email)],
      fields: newPasswordViews(messages),
      username: link.email,
      submit: t.submit,
    };
  },
  async submit(page, { password }, { token, link }) {
    const { user, kind } = link;
    if (!user || !(await findOpenLink(page, { token, kind }))) return showDeadLink(page, kind);
    const hashed = await hashNewPassword(page, { email: link.email, password });
    if ('kind' in hashed) return hashed;
    const action = page.actionOf(userActor(user));
    const isReset = await resetPassword(action, { ...link, user }, hashed.hash);
    if (!isReset) return showDeadLink(page, kind);
    return page.redirect(`${browserPaths.session}?done=password`);
  },
});
