import { confirmEmail, type UserLink } from '../../accounts/users/change-email.ts';
import { undoEmailChange } from '../../accounts/users/undo-email.ts';
import { browserPaths, linkPagePaths, linkPath } from '../../base/page-paths.ts';
import { publicForm } from '../forms/form.tsx';
import { userActor } from '../page.ts';
import { loadLink, showDeadLink, type LinkState } from './link-form.ts';
import { dummyPasswordHash } from './password.ts';

const doneParameter = 'done';

/** The link of a user: those of addresses always have one. */
const withUser = ({ link }: LinkState): UserLink | undefined =>
  link.user && { ...link, user: link.user };

/** `/e-mail/confirm?token=...`: makes a new address the address of its user, whichever browser opens the link. */
export const emailConfirmForm = publicForm<LinkState>({
  path: linkPagePaths.confirm_email,
  role: 'public',
  purpose: 'email-confirm',
  limit: 'pages',
  againPath: ({ token }) => linkPath('confirm_email', token),
  async load(page) {
    if (page.query(doneParameter) !== 'yes') return loadLink(page, 'confirm_email');
    const { emailChange: t, dead } = page.messages.security;
    const link = { href: browserPaths.profile, text: dead.account };
    return page.info({ title: t.confirmed, paragraphs: [], link });
  },
  view({ messages }, { link }) {
    const t = messages.security.emailChange;
    return {
      title: t.confirmTitle,
      paragraphs: [
        t.confirmLead
          .replace('{name}', () => link.user?.name ?? '')
          .replace('{email}', () => link.email),
      ],
      submit: t.confirmSubmit,
    };
  },
  async submit(page, _values, state) {
    const link = withUser(state);
    const action = link && page.actionOf(userActor(link.user));
    if (!action || !(await confirmEmail(action, link, page.language))) {
      return showDeadLink(page, 'confirm_email');
    }
    return page.redirect(`${linkPagePaths.confirm_email}?${doneParameter}=yes`);
  },
});

/** `/e-mail/undo?token=...`: reverts the change of an address, and leads to a new password. */
export const emailUndoForm = publicForm<LinkState>({
  path: linkPagePaths.undo_email,
  role: 'public',
  purpose: 'email-undo',
  limit: 'pages',
  againPath: ({ token }) => linkPath('undo_email', token),
  load: (page) => loadLink(page, 'undo_email'),
  view({ messages }, { link }) {
    const t = messages.security.emailChange;
    return {
      title: t.undoTitle,
      paragraphs: [t.undoLead.replace('{email}', () => link.email)],
      submit: t.undoSubmit,
      isDangerous: true,
    };
  },
  async submit(page, _values, state) {
    const link = withUser(state);
    const action = link && page.actionOf(userActor(link.user));
    const token = action && (await undoEmailChange(action, link, dummyPasswordHash));
    if (token === undefined) return showDeadLink(page, 'undo_email');
    return page.redirect(linkPath('password_reset', token));
  },
});
