import * as z from 'zod';
import { changeRole } from '../../accounts/members/change-role.ts';
import { handOverStore } from '../../accounts/members/hand-over.ts';
import { inviteMember } from '../../accounts/members/invite.ts';
import { removeMember } from '../../accounts/members/remove-member.ts';
import { revokeInvitation } from '../../accounts/members/revoke-invitation.ts';
import { notFound } from '../../base/errors.ts';
import { readableAddress } from '../../base/hosts.ts';
import { memberPaths, storePaths } from '../../base/page-paths.ts';
import { assignableRoles, Role } from '../../base/roles.ts';
import { selectOpenInvitations } from '../../data/directory/invitations.ts';
import { findMember, selectMembers } from '../../data/directory/members.ts';
import { ActionMenu } from '../../web/components/action-menu.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { ErrorSummary, FormTokenInput, type FormProps } from '../../web/components/form-fields.tsx';
import { FlashMessage, Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { formEmail, oneOf, sentText } from '../../web/forms/form-values.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { ofOwner } from './store-actions.tsx';

/** The outcomes of forms that lead to the list. */
const outcomes = ['invited', 'withdrawn', 'role', 'removed', 'handed'] as const;

/** The list, with the outcome of the form. */
const membersDonePath = ({ alias }: { alias: string }, done: (typeof outcomes)[number]) =>
  `${memberPaths.list(alias)}?done=${done}`;

/** The roles that an owner gives. */
const roleView = ({ members: { roles } }: Messages) => ({
  name: 'role',
  type: 'radio' as const,
  options: assignableRoles.map((value) => ({
    value,
    text: roles.names[value],
    meaning: roles.meanings[value],
  })),
});

/**
 * `GET /account/stores/:alias/members`: members and, for the owner, open invitations. One round
 * trip.
 */
export async function showMembers(page: SignedInPage) {
  const { now, directory, store, messages } = page;
  const { alias } = store;
  const [members, invitations] = await directory.batch([
    selectMembers(directory, store.id),
    selectOpenInvitations(directory, { storeId: store.id }, now),
  ]);
  const isOwner = store.role === Role.owner;
  const t = messages.members.list;
  const done = page.done(outcomes);
  return (
    <DashboardLayout {...page.dashboard('store/members')} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={done && t.done[done]} />
      <p>
        <Interpolate text={t.lead} parts={{ store: <bdi>{store.name}</bdi> }} />{' '}
        {!isOwner && t.readOnlyLead}
      </p>
      <div class="actions">
        {isOwner && (
          <a class="button" href={memberPaths.invite(alias)}>
            {t.invite}
          </a>
        )}
        <ActionMenu
          language={page.language}
          actions={[
            {
              control: (
                <a class="button danger" href={storePaths.leave(alias)}>
                  {t.leave}
                </a>
              ),
              hint: { text: messages.members.leave.consequence },
            },
          ]}
        />
      </div>
      <MemberTable {...{ page, members }} />
      {isOwner && <InvitationTable {...{ page, invitations }} />}
    </DashboardLayout>
  );
}

type Member = Awaited<ReturnType<typeof selectMembers>>[number];

const MemberTable = ({ page, members }: { page: SignedInPage; members: readonly Member[] }) => {
  const { language, messages, store } = page;
  const { list: t, roles } = messages.members;
  return (
    <DataTable
      caption={t.caption.replace('{store}', () => store.name)}
      rows={members}
      columns={[
        { label: t.member, cell: (member) => <MemberName {...{ member, page }} /> },
        { label: t.role, cell: ({ role }) => roles.names[role] },
        {
          label: t.seen,
          cell: ({ lastSeenAt: at }) =>
            at === null ? t.never : <FormattedTime {...{ language, at }} zone={store.zone} />,
        },
        {
          label: t.factor,
          cell: ({ hasSecondFactor }) => (
            <StateBadge
              tone={hasSecondFactor ? 'good' : 'neutral'}
              text={hasSecondFactor ? t.factorOn : t.factorOff}
            />
          ),
        },
        ...(store.role === Role.owner
          ? [
              {
                label: t.action,
                hasActions: true,
                cell: ({ userId, role, name }: Member) =>
                  role !== Role.owner && (
                    <a
                      href={memberPaths.details(store.alias, userId)}
                      aria-label={t.changeMember.replace('{name}', () => name)}
                    >
                      {t.change}
                    </a>
                  ),
              },
            ]
          : []),
      ]}
    />
  );
};

const MemberName = ({
  member: { userId, name, email, isActive },
  page: { user, messages },
}: {
  member: Member;
  page: SignedInPage;
}) => {
  const t = messages.members.list;
  return (
    <>
      <bdi>{name}</bdi> {userId === user.id && <span class="tag">{t.you}</span>}{' '}
      {!isActive && <StateBadge tone="warn" text={t.inactive} />}
      <br />
      <span class="muted">{readableAddress(email)}</span>
    </>
  );
};

const InvitationTable = ({
  page: { language, messages, store },
  invitations,
}: {
  page: SignedInPage;
  invitations: Awaited<ReturnType<typeof selectOpenInvitations>>;
}) => {
  const { list: t, roles } = messages.members;
  return (
    <>
      <h2>{t.open}</h2>
      {invitations.length === 0 ? (
        <p>{t.none}</p>
      ) : (
        <DataTable
          caption={t.openCaption}
          rows={invitations}
          columns={[
            { label: t.address, cell: ({ email }) => readableAddress(email) },
            { label: t.role, cell: ({ role }) => roles.names[role ?? Role.viewer] },
            {
              label: t.until,
              cell: ({ expiresAt: at }) => (
                <FormattedTime {...{ language, at }} zone={store.zone} />
              ),
            },
            {
              label: t.action,
              hasActions: true,
              cell: ({ id, email }) => (
                <a
                  href={memberPaths.invitation(store.alias, id)}
                  aria-label={t.manageAddress.replace('{email}', () => readableAddress(email))}
                >
                  {t.manage}
                </a>
              ),
            },
          ]}
        />
      )}
    </>
  );
};

/** Returns the text that says why an invitation was not sent. */
const invitationProblem = (
  { members: { invite: t } }: Messages,
  result: 'already_member' | 'too_many',
): string => (result === 'already_member' ? t.already : t.tooMany);

/**
 * `/account/stores/:alias/members/invite`. Each form may send a mail, so a user has a limit of
 * them.
 */
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
    return { errors: [{ field: 'email', text: invitationProblem(page.messages, result) }] };
  },
});

/**
 * Loads the open invitation of the path. Throws 404 for one of another store, and one that is open
 * no more.
 */
async function requireInvitation(page: SignedInPage) {
  const { directory, store, now } = page;
  const id = page.id('id');
  const [invitation] = await selectOpenInvitations(directory, { storeId: store.id }, now, id);
  if (!invitation) throw notFound();
  return { ...invitation, role: invitation.role ?? Role.viewer };
}

/**
 * `/account/stores/:alias/members/invitations/:id`: sends an open invitation again with a new link,
 * or withdraws it.
 */
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
  render: (page, invitation, form) => <OpenInvitationPage {...{ page, invitation, form }} />,
  async submit(page, { action }) {
    const { store } = page;
    const invitation = await requireInvitation(page);
    if (action === 'withdraw') {
      if (!(await revokeInvitation(page.action, invitation, { storeId: store.id })))
        throw notFound();
      return page.redirect(membersDonePath(store, 'withdrawn'));
    }
    const { email, name, language, role } = invitation;
    // An owner is never made by a link: an owner's link only sets the password, and comes from an
    // operator.
    if (role === Role.owner) throw notFound();
    const request = { email, language, role, ...(name !== null && { name }) };
    const result = await inviteMember(page.action, store, request);
    if (result === 'invited') return page.redirect(membersDonePath(store, 'invited'));
    return { errors: [{ text: invitationProblem(page.messages, result) }] };
  },
});

/**
 * One open invitation: sends it again or withdraws it. The pressed button names the action
 * (`action`).
 */
const OpenInvitationPage = ({
  page,
  invitation,
  form,
}: {
  page: SignedInPage;
  invitation: Awaited<ReturnType<typeof requireInvitation>>;
  form: FormProps;
}) => {
  const { language, messages, store } = page;
  const { zone } = store;
  const { open: t, roles } = messages.members;
  const title = t.title.replace('{email}', () => readableAddress(invitation.email));
  const parts = {
    sent: <FormattedTime {...{ language, zone }} at={invitation.createdAt} />,
    until: <FormattedTime {...{ language, zone }} at={invitation.expiresAt} />,
    role: roles.names[invitation.role],
  };
  return (
    <DashboardLayout {...page.dashboard('store/members')} {...{ title }}>
      <h1>{title}</h1>
      {form.errors.length > 0 && (
        <ErrorSummary
          title={messages.errorSummary}
          errors={form.errors.map(({ text }) => ({ text }))}
        />
      )}
      <p>
        <Interpolate text={t.lead} parts={parts} />
      </p>
      <form method="post" action={form.action}>
        <FormTokenInput formToken={form.formToken} />
        <p id="again">{t.sendAgainHint}</p>
        <p class="actions">
          <button name="action" value="send" aria-describedby="again">
            {t.sendAgain}
          </button>
        </p>
        <p id="withdraw">{t.withdrawHint}</p>
        <p class="actions">
          <button name="action" value="withdraw" class="danger" aria-describedby="withdraw">
            {t.withdraw}
          </button>
        </p>
      </form>
      <p>
        <a class="target" href={memberPaths.list(store.alias)}>
          {messages.members.list.title}
        </a>
      </p>
    </DashboardLayout>
  );
};

/**
 * Loads the member of the path. Throws 404 for the owner, whose role changes by a hand-over only,
 * and for users who are no members.
 */
async function requireMember(page: SignedInPage) {
  const userId = page.id('userId');
  const member = await findMember(page.directory, { userId, storeId: page.store.id });
  if (!member || member.role === Role.owner) throw notFound();
  return member;
}

/** A form about the member of the path. */
const ofMember = { ...ofOwner, part: 'store/members', load: requireMember } as const;

const [alias, userId] = [':alias', ':userId'];

/** `/account/stores/:alias/members/:userId`: changes the role of a member. */
export const memberForm = userForm({
  ...ofMember,
  path: memberPaths.details(alias, userId),
  fields: ({ members }) => z.object({ role: oneOf(assignableRoles, members.invite.roleMissing) }),
  view({ messages, store }, member) {
    const t = messages.members.member;
    const name = { name: <bdi>{member.name}</bdi> };
    return {
      title: t.title.replace('{name}', () => member.name),
      heading: <Interpolate text={t.title} parts={name} />,
      intro: <p class="muted">{readableAddress(member.email)}</p>,
      fields: [
        {
          ...roleView(messages),
          label: <Interpolate text={t.role} parts={name} />,
          hint: t.viewerHint,
          value: member.role,
        },
      ],
      submit: t.save,
      back: memberPaths.list(store.alias),
      after: (
        <>
          <h2>{t.more}</h2>
          <p class="actions">
            <a class="button plain" href={memberPaths.handOver(store.alias, member.userId)}>
              {t.handOver}
            </a>
            <a class="button danger" href={memberPaths.remove(store.alias, member.userId)}>
              {t.remove}
            </a>
          </p>
        </>
      ),
    };
  },
  async submit(page, { role }) {
    const member = await requireMember(page);
    if (!(await changeRole(page.action, page.store, member.userId, role))) throw notFound();
    return page.redirect(membersDonePath(page.store, 'role'));
  },
});

/** The question before an action on a member. */
function askAbout(
  { messages, store }: SignedInPage,
  member: Awaited<ReturnType<typeof requireMember>>,
  action: 'remove' | 'handOver',
) {
  const { remove, handOver } = messages.members;
  const parts = { name: <bdi>{member.name}</bdi>, store: <bdi>{store.name}</bdi> };
  const t = messages.members[action];
  const last = action === 'remove' ? remove.stays : handOver.irreversible;
  return {
    question: <Interpolate text={t.question} parts={parts} />,
    paragraphs: [
      <Interpolate text={t.consequence} parts={parts} />,
      <Interpolate text={last} parts={parts} />,
    ],
    submit: t.submit,
    back: memberPaths.details(store.alias, member.userId),
  };
}

/** `/account/stores/:alias/members/:userId/remove`. */
export const memberRemovalForm = confirmation({
  ...ofMember,
  path: memberPaths.remove(alias, userId),
  ask: (page, member) => askAbout(page, member, 'remove'),
  async submit(page) {
    const member = await requireMember(page);
    if (!(await removeMember(page.action, page.store, member.userId))) throw notFound();
    return page.redirect(membersDonePath(page.store, 'removed'));
  },
});

/** `/account/stores/:alias/members/:userId/hand-over`. */
export const handOverForm = confirmation({
  ...ofMember,
  path: memberPaths.handOver(alias, userId),
  ask: (page, member) => askAbout(page, member, 'handOver'),
  async submit(page) {
    const member = await requireMember(page);
    const isDone = await handOverStore(page.action, page.store, member.userId);
    if (isDone) return page.redirect(membersDonePath(page.store, 'handed'));
    return { errors: [{ text: page.messages.members.handOver.failed }] };
  },
});
