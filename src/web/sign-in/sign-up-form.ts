import * as z from 'zod';
import { hashNewPassword } from '../../accounts/sign-in/check-credentials.ts';
import { requestSignUp, signUp } from '../../accounts/users/sign-up.ts';
import { browserPaths, linkPagePaths, linkPath } from '../../base/page-paths.ts';
import { publicForm, type NoState } from '../forms/form.tsx';
import type { PublicPage } from '../page.ts';
import {
  emailField,
  emailView,
  nameField,
  nameView,
  newPasswordViews,
  withNewPassword,
} from './link-fields.ts';
import { findOpenLink, loadLink, showDeadLink, type LinkState } from './link-form.ts';
import { prepareSession } from './open-session.ts';

const sentPath = `${browserPaths.signUp}?sent=yes`;

/** Says that accounts are created by invitation only (404), where that is so. */
function showIfClosed(page: PublicPage) {
  if (page.settings.signUp !== 'closed') return undefined;
  const { signUp: t, forgotten } = page.messages.security;
  const link = { href: browserPaths.session, text: forgotten.back };
  const info = { title: t.closedTitle, paragraphs: [t.closed], link };
  return page.info(info, { status: 404, path: browserPaths.signUp });
}

/** `/sign-up`: sends a link to continue. The answer is the same for every address. */
export const signUpForm = publicForm<NoState, { email: string }>({
  path: browserPaths.signUp,
  role: 'public',
  purpose: 'sign-up',
  limit: 'mails',
  isClosed: showIfClosed,
  async load(page) {
    if (page.query('sent') !== 'yes') return {};
    const { signUp: t, forgotten } = page.messages.security;
    const link = { href: browserPaths.session, text: forgotten.back };
    const notice = page.mailNotice;
    const info =
      notice === undefined
        ? { title: t.sentTitle, paragraphs: [t.sent, forgotten.sentHint] }
        : { title: t.title, paragraphs: [notice] };
    return page.info({ ...info, link }, { path: sentPath });
  },
  fields: (messages) => z.object({ email: emailField(messages) }),
  view({ messages }) {
    const { signUp: t, forgotten } = messages.security;
    return {
      title: t.title,
      paragraphs: [t.lead],
      fields: [emailView(messages)],
      submit: t.submit,
      links: [{ href: browserPaths.session, text: forgotten.back }],
    };
  },
  async submit(page, { email }) {
    await requestSignUp(page.actionOf(), email, page.language);
    return page.redirect(sentPath);
  },
});

/** `/sign-up/confirm?token=...`: creates the account of a confirmed address, and signs it in. */
export const signUpConfirmForm = publicForm<LinkState, { name: string; password: string }>({
  path: linkPagePaths.sign_up,
  role: 'public',
  purpose: 'sign-up-confirm',
  limit: 'passwords',
  isClosed: showIfClosed,
  againPath: ({ token }) => linkPath('sign_up', token),
  load: (page) => loadLink(page, 'sign_up'),
  fields: (messages, page) => withNewPassword(messages, { name: nameField(messages, page) }),
  view({ messages }, { link }) {
    const t = messages.security.signUp;
    return {
      title: t.confirmTitle,
      paragraphs: [t.confirmLead.replace('{email}', () => link.email)],
      fields: [nameView(messages), ...newPasswordViews(messages)],
      username: link.email,
      submit: t.confirmSubmit,
    };
  },
  async submit(page, { name, password }, { token, link }) {
    const { kind, email } = link;
    if (!(await findOpenLink(page, { token, kind }))) return showDeadLink(page, kind);
    const hashed = await hashNewPassword(page, { email, password });
    if ('kind' in hashed) return hashed;
    const action = page.actionOf();
    const session = await prepareSession(page.c, action, page);
    const user = { name, passwordHash: hashed.hash, language: page.language };
    if (!(await signUp(action, link, user, session.start))) return showDeadLink(page, kind);
    session.setCookie();
    const isMerchant = page.settings.signUp === 'everyone';
    return page.redirect(isMerchant ? browserPaths.account : browserPaths.partners);
  },
});
