import { linkPagePaths, linkPath } from '../../people/links/link-paths.ts';
import { requestPasswordReset, resetPassword } from '../../people/passwords/reset.ts';
import { hashNewPassword } from '../new-password.ts';
import { mailNotice } from '../pages/mail-notice.ts';
import { requestDeed, userActor } from '../pages/page-deed.ts';
import { browserPaths } from '../pages/paths.ts';
import { hashingRetrySeconds } from '../throttle/hashing-slots.ts';
import {
  emailView,
  errorsOf,
  newPasswordViews,
  parseEmail,
  parseNewPassword,
  valueOf,
} from './fields.ts';
import { loadLink, showDeadLink, type LinkState } from './link-form.ts';
import { limitMails } from './mail-limit.ts';
import { showInfo, type NoState, type PublicForm } from './public-form.tsx';

const sentPath = `${browserPaths.forgottenPassword}?sent=yes`;

/** `/password/forgotten`: sends a link to set a new password. The answer is the same for every address. */
export const forgottenPasswordForm: PublicForm<NoState> = {
  path: browserPaths.forgottenPassword,
  purpose: 'forgotten-password',
  async load(c, { messages }) {
    if (c.req.query('sent') !== 'yes') return {};
    const t = messages.security.forgotten;
    const notice = mailNotice(c.env, messages);
    const info =
      notice === undefined
        ? { title: t.sentTitle, paragraphs: [t.sent, t.sentHint] }
        : { title: t.title, paragraphs: [notice] };
    const link = { href: browserPaths.session, text: t.back };
    return showInfo(c, { ...info, link }, { path: sentPath });
  },
  view(_state, { messages }, form) {
    const t = messages.security.forgotten;
    return {
      title: t.title,
      paragraphs: [t.lead],
      fields: [emailView(messages, form)],
      submit: t.submit,
      links: [{ href: browserPaths.session, text: t.back }],
    };
  },
  async submit(c, _state, form, { now, messages, language }) {
    const email = parseEmail(form, messages);
    if ('error' in email) return { errors: errorsOf(email) };
    const deed = requestDeed(c, now);
    const wait = await limitMails(c, deed, email.value);
    if (wait) return wait;
    await requestPasswordReset(deed, email.value, language);
    return c.redirect(sentPath, 303);
  },
};

/** `/password/reset?token=...`: sets a new password. */
export const passwordResetForm: PublicForm<LinkState> = {
  path: linkPagePaths.password_reset,
  purpose: 'password-reset',
  againPath: ({ token }) => linkPath('password_reset', token),
  load: (c, context) => loadLink(c, context, 'password_reset'),
  view({ link }, { messages }) {
    const t = messages.security.reset;
    return {
      title: t.title,
      paragraphs: [t.lead.replace('{email}', () => link.email)],
      fields: newPasswordViews(messages),
      username: link.email,
      submit: t.submit,
    };
  },
  async submit(c, { link }, form, context) {
    const { now, language } = context;
    const password = parseNewPassword(form, context.messages);
    if ('error' in password) return { errors: errorsOf(password) };
    const { user } = link;
    if (!user) return showDeadLink(c, context, link.kind);
    const hash = await hashNewPassword(valueOf(password), now);
    if (hash === undefined) return { kind: 'busy', seconds: hashingRetrySeconds };
    const deed = requestDeed(c, now, userActor(user));
    const isReset = await resetPassword(deed, { ...link, user }, hash, language);
    if (!isReset) return showDeadLink(c, context, link.kind);
    return c.redirect(`${browserPaths.session}?done=password`, 303);
  },
};
