import { dummyPasswordHash } from '../../accounts/sign-in/password.ts';
import { confirmEmail, type UserLink } from '../../accounts/users/change-email.ts';
import type { DoneLine } from '../../accounts/users/done-since.ts';
import { undoEmailChange } from '../../accounts/users/undo-email.ts';
import { type Language, languages } from '../../base/languages.ts';
import { browserPaths, linkPagePaths, linkPath } from '../../base/page-paths.ts';
import { Interpolate, UntrustedName } from '../components/inline-text.tsx';
import { publicForm } from '../forms/form.tsx';
import { userActor } from '../page.ts';
import type { Messages } from '../texts/en/messages.ts';
import { messagesFor } from '../texts/messages.ts';
import { loadLink, showDeadLink, type LinkState } from './link-form.ts';

const doneParameter = 'done';

/** The link of a user: those of addresses always have one. */
const withUser = ({ link }: LinkState): UserLink | undefined =>
  link.user && { ...link, user: link.user };

/**
 * `/e-mail/confirm?token=...`: makes a new address the address of its user, whichever browser opens
 * the link.
 */
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
    if (!action || !(await confirmEmail(action, link))) {
      return showDeadLink(page, 'confirm_email');
    }
    return page.redirect(`${linkPagePaths.confirm_email}?${doneParameter}=yes`);
  },
});

/**
 * `/e-mail/undo?token=...`: reverts the change of an address, lists what was done meanwhile, and
 * leads to a new password.
 */
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
    const undone = action && (await undoEmailChange(action, link, dummyPasswordHash, describe));
    if (!undone) return showDeadLink(page, 'undo_email');
    const { token, done } = undone;
    const href = linkPath('password_reset', token);
    if (done.length === 0) return page.redirect(href);
    const t = page.messages.security.emailChange.undone;
    return page.info({
      title: t.title,
      paragraphs: [t.lead, t.hint],
      items: done.map((line) => (
        <Interpolate
          text={sentenceOf(line, page.messages)}
          parts={{ target: <UntrustedName name={line.target} /> }}
        />
      )),
      link: { href, text: t.submit },
    });
  },
});

/**
 * A sentence about what was done, and whether it ended. It has a place for its target, and the
 * alias of its store.
 */
function sentenceOf(
  { action, store, isEnded }: DoneLine,
  { security, activity, operator }: Messages,
) {
  const t = security.emailChange.undone;
  const actions: Readonly<Record<string, string>> = {
    'user.second_factor_off': t.factorOff,
    ...operator.activity.actions,
    ...activity.actions,
  };
  const what = actions[action] ?? action;
  const place = store === null ? '' : ` (${store})`;
  return (isEnded ? t.ended : t.left).replace('{what}', () => what + place);
}

const describe = (line: DoneLine) =>
  Object.fromEntries(
    languages.map((language) => [language, sentenceOf(line, messagesFor(language))]),
  ) as Record<Language, string>;
