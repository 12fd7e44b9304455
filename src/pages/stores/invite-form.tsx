import * as z from 'zod';
import { inviteMember } from '../../accounts/members/invite.ts';
import { revokeInvitation } from '../../accounts/members/revoke-invitation.ts';
import { notFound } from '../../base/errors.ts';
import { assignableRoles, Role } from '../../base/roles.ts';
import { selectOpenInvitations } from '../../data/directory/invitations.ts';
import type { FormError } from '../../web/components/form-fields.tsx';
import { formEmail, oneOf, sentText, userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { memberPaths } from '../../web/paths.ts';
import { OpenInvitationPage } from '../../web/sign-in/open-invitation-page.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { ofOwner } from './store-actions.tsx';
import { membersDonePath, roleView } from './store-members.tsx';

/** Says why an invitation was not sent. */
const invitationError = (
  { members: { invite: t } }: Messages,
  result: 'already_member' | 'too_many',
): FormError => ({ field: 'email', text: result === 'already_member' ? t.already : t.tooMany });

/** `/account/stores/:alias/members/invite`. Each form may send a mail, so a user has a limit of them. */
export const inviteForm = userForm({
  ...ofOwner,
  path: memberPaths.invite(':alias'),
  limit: 'invitations',
  part: 'store/members',
  fields: ({ members: { invite: t } }) =>
    z.object({
      email: formEmail({ invalid: t.emailInvalid }),
      role: oneOf(assignableRoles, t.roleMissing),
    }),
  view({ messages, mailNotice, store }) {
    const t = messages.members.invite;
    return {
      title: t.title,
      problem: mailNotice,
      paragraphs: [t.lead],
      fields: [
        { name: 'email', label: t.email, type: 'email' },
        { ...roleView(messages), label: t.role },
      ],
      submit: t.submit,
      back: memberPaths.list(store.alias),
    };
  },
  async submit(page, { email, role }) {
    const { action, store, language } = page;
    const result = await inviteMember(action, store, { email, role, language });
    if (result === 'invited') return page.redirect(membersDonePath(store, 'invited'));
    return { errors: [invitationError(page.messages, result)] };
  },
});

/** Loads the open invitation of the path. Throws 404 for one of another store, and one that is open no more. */
async function requireInvitation(page: SignedInPage) {
  const { directory, store, now } = page;
  const id = page.id('id');
  const [invitation] = await selectOpenInvitations(directory, { storeId: store.id }, now, id);
  if (!invitation) throw notFound();
  return { ...invitation, role: invitation.role ?? Role.viewer };
}

/** `/account/stores/:alias/members/invitations/:id`: sends an open invitation again with a new link, or withdraws it. */
export const openInvitationForm = userForm({
  ...ofOwner,
  path: memberPaths.invitation(':alias', ':id'),
  limit: {
    among: ['pages', 'invitations'],
    choose: ({ action }: { action: string }) => (action === 'withdraw' ? 'pages' : 'invitations'),
  },
  mailTo: async (page) => (await requireInvitation(page)).email,
  part: 'store/members',
  load: requireInvitation,
  fields: () => z.object({ action: sentText }),
  render: (page, invitation, form) => (
    <OpenInvitationPage
      {...{ invitation, ...form }}
      dashboard={page.dashboard('store/members')}
      zone={page.store.zone}
      back={memberPaths.list(page.store.alias)}
    />
  ),
  async submit(page, { action }) {
    const { store } = page;
    const invitation = await requireInvitation(page);
    if (action === 'withdraw') {
      if (!(await revokeInvitation(page.action, invitation, { storeId: store.id })))
        throw notFound();
      return page.redirect(membersDonePath(store, 'withdrawn'));
    }
    const { email, name, language, role } = invitation;
    // An owner is never made by a link: an owner's link only sets the password, and comes from an operator.
    if (role === Role.owner) throw notFound();
    const request = { email, language, role, ...(name !== null && { name }) };
    const result = await inviteMember(page.action, store, request);
    if (result === 'invited') return page.redirect(membersDonePath(store, 'invited'));
    return { errors: [invitationError(page.messages, result)] };
  },
});
