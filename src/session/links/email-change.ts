import { confirmEmail, type UserLink } from '../../people/email/change-email.ts';
import { undoEmailChange } from '../../people/email/undo-email.ts';
import { linkPagePaths, linkPath } from '../../people/links/link-paths.ts';
import { requestDeed, userActor } from '../pages/page-deed.ts';
import { browserPaths } from '../pages/paths.ts';
import { dummyPasswordHash } from '../password.ts';
import { loadLink, showDeadLink, type LinkState } from './link-form.ts';
import { showInfo, type PublicForm } from './public-form.tsx';

const doneParameter = 'done';

/** The link of a user: those of addresses always have one. */
const withUser = ({ link }: LinkState): UserLink | undefined =>
  link.user && { ...link, user: link.user };

/** `/e-mail/confirm?token=...`: makes a new address the address of its user, whichever browser opens the link. */
export const emailConfirmForm: PublicForm<LinkState> = {
  path: linkPagePaths.confirm_email,
  purpose: 'email-confirm',
  againPath: ({ token }) => linkPath('confirm_email', token),
  async load(c, context) {
    if (c.req.query(doneParameter) !== 'yes') return loadLink(c, context, 'confirm_email');
    const { emailChange: t, dead } = context.messages.security;
    const link = { href: browserPaths.profile, text: dead.account };
    return showInfo(c, { title: t.confirmed, paragraphs: [], link });
  },
  view({ link }, { messages }) {
    const t = messages.security.emailChange;
    return {
      title: t.confirmTitle,
      paragraphs: [
        t.confirmLead
          .replace('{name}', () => link.user?.name ?? '')
          .replace('{email}', () => link.email),
      ],
      fields: [],
      submit: t.confirmSubmit,
    };
  },
  async submit(c, state, _form, context) {
    const link = withUser(state);
    const deed = link && requestDeed(c, context.now, userActor(link.user));
    if (!deed || !(await confirmEmail(deed, link, context.language))) {
      return showDeadLink(c, context, 'confirm_email');
    }
    return c.redirect(`${linkPagePaths.confirm_email}?${doneParameter}=yes`, 303);
  },
};

/** `/e-mail/undo?token=...`: takes the change of an address back, and leads to a new password. */
export const emailUndoForm: PublicForm<LinkState> = {
  path: linkPagePaths.undo_email,
  purpose: 'email-undo',
  againPath: ({ token }) => linkPath('undo_email', token),
  load: (c, context) => loadLink(c, context, 'undo_email'),
  view({ link }, { messages }) {
    const t = messages.security.emailChange;
    return {
      title: t.undoTitle,
      paragraphs: [t.undoLead.replace('{email}', () => link.email)],
      fields: [],
      submit: t.undoSubmit,
      isDangerous: true,
    };
  },
  async submit(c, state, _form, context) {
    const link = withUser(state);
    const deed = link && requestDeed(c, context.now, userActor(link.user));
    const token = deed && (await undoEmailChange(deed, link, dummyPasswordHash));
    if (token === undefined) return showDeadLink(c, context, 'undo_email');
    return c.redirect(linkPath('password_reset', token), 303);
  },
};
