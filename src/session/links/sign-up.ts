import { linkPagePaths, linkPath } from '../../people/links/link-paths.ts';
import { requestSignUp, signUp } from '../../people/sign-up/sign-up.ts';
import { settingsOf } from '../../settings.ts';
import { hashNewPassword } from '../new-password.ts';
import { mailNotice } from '../pages/mail-notice.ts';
import { requestDeed } from '../pages/page-deed.ts';
import { browserPaths } from '../pages/paths.ts';
import { prepareSession } from '../start-session.ts';
import { hashingRetrySeconds } from '../throttle/hashing-slots.ts';
import {
  emailView,
  errorsOf,
  nameView,
  newPasswordViews,
  parseEmail,
  parseName,
  parseNewPassword,
  valueOf,
} from './fields.ts';
import { loadLink, showDeadLink, type LinkState } from './link-form.ts';
import { limitMails } from './mail-limit.ts';
import { showInfo, type NoState, type PublicForm, type PublicFormContext } from './public-form.tsx';

const sentPath = `${browserPaths.signUp}?sent=yes`;

type PageRequest = Parameters<PublicForm<LinkState>['load']>[0];

/** Says that nobody makes an account here (404), where that is so. */
function showIfClosed(c: PageRequest, { messages }: PublicFormContext) {
  if (settingsOf(c.env).signUp !== 'closed') return undefined;
  const { signUp: t, forgotten } = messages.security;
  const link = { href: browserPaths.session, text: forgotten.back };
  return showInfo(
    c,
    { title: t.closedTitle, paragraphs: [t.closed], link },
    { status: 404, path: browserPaths.signUp },
  );
}

/** `/sign-up`: sends a link to go on with. The answer is the same for every address. */
export const signUpForm: PublicForm<NoState> = {
  path: browserPaths.signUp,
  purpose: 'sign-up',
  async load(c, context) {
    const closed = showIfClosed(c, context);
    if (closed || c.req.query('sent') !== 'yes') return closed ?? {};
    const { signUp: t, forgotten } = context.messages.security;
    const link = { href: browserPaths.session, text: forgotten.back };
    const notice = mailNotice(c.env, context.messages);
    const info =
      notice === undefined
        ? { title: t.sentTitle, paragraphs: [t.sent, forgotten.sentHint] }
        : { title: t.title, paragraphs: [notice] };
    return showInfo(c, { ...info, link }, { path: sentPath });
  },
  view(_state, { messages }, form) {
    const { signUp: t, forgotten } = messages.security;
    return {
      title: t.title,
      paragraphs: [t.lead],
      fields: [emailView(messages, form)],
      submit: t.submit,
      links: [{ href: browserPaths.session, text: forgotten.back }],
    };
  },
  async submit(c, _state, form, context) {
    const closed = showIfClosed(c, context);
    if (closed) return closed;
    const { now, messages, language } = context;
    const email = parseEmail(form, messages);
    if ('error' in email) return { errors: errorsOf(email) };
    const deed = requestDeed(c, now);
    const wait = await limitMails(c, deed, email.value);
    if (wait) return wait;
    await requestSignUp(deed, email.value, language);
    return c.redirect(sentPath, 303);
  },
};

/** `/sign-up/confirm?token=...`: makes the account of a confirmed address, and signs it in. */
export const signUpConfirmForm: PublicForm<LinkState> = {
  path: linkPagePaths.sign_up,
  purpose: 'sign-up-confirm',
  againPath: ({ token }) => linkPath('sign_up', token),
  load: async (c, context) => showIfClosed(c, context) ?? loadLink(c, context, 'sign_up'),
  view({ link }, { messages }, form) {
    const t = messages.security.signUp;
    return {
      title: t.confirmTitle,
      paragraphs: [t.confirmLead.replace('{email}', () => link.email)],
      fields: [nameView(messages, form), ...newPasswordViews(messages)],
      username: link.email,
      submit: t.confirmSubmit,
    };
  },
  async submit(c, { link }, form, context) {
    const closed = showIfClosed(c, context);
    if (closed) return closed;
    const { browser, now, messages, language } = context;
    const name = parseName(form, messages);
    const password = parseNewPassword(form, messages);
    const errors = errorsOf(name, password);
    if (errors.length > 0) return { errors };
    const passwordHash = await hashNewPassword(valueOf(password), now);
    if (passwordHash === undefined) return { kind: 'busy', seconds: hashingRetrySeconds };
    const deed = requestDeed(c, now);
    const session = await prepareSession(c, deed, { browser });
    const user = { name: valueOf(name), passwordHash, language };
    if (!(await signUp(deed, link, user, session.start)))
      return showDeadLink(c, context, link.kind);
    session.setCookie();
    const { signUp: kind } = settingsOf(c.env);
    return c.redirect(kind === 'everyone' ? browserPaths.account : browserPaths.partners, 303);
  },
};
