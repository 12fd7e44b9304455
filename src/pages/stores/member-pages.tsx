import * as z from 'zod';
import { changeRole } from '../../accounts/members/change-role.ts';
import { handOverStore } from '../../accounts/members/hand-over.ts';
import { inviteMember } from '../../accounts/members/invite.ts';
import { removeMember } from '../../accounts/members/remove-member.ts';
import { revokeInvitation } from '../../accounts/members/revoke-invitation.ts';
import { notFound } from '../../base/errors.ts';
import { readableAddress } from '../../base/hosts.ts';
import { memberPaths, storePaths } from '../../base/page-paths.ts';
import { assignableRoles, type MemberRole, Role } from '../../base/roles.ts';
import { selectOpenInvitations } from '../../data/directory/invitations.ts';
import { findMember, selectMembers } from '../../data/directory/members.ts';
import { ActionMenu } from '../../web/components/action-menu.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { FlashMessage, Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { formEmail, oneOf, sentText } from '../../web/forms/form-values.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { OpenInvitationPage } from '../../web/sign-in/open-invitation-page.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';
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

/** `GET /account/stores/:alias/members`: members and, for the owner, open invitations. One round trip. */
export async function showMembers(page: SignedInPage) {
  const { session, now, directory, store } = page;
  const { alias } = store;
  const [members, invitations] = await directory.batch([
    selectMembers(directory, store.id),
    selectOpenInvitations(directory, { storeId: store.id }, now),
  ]);
  const isOwner = store.role === Role.owner;
  return (
    <MembersPage
      dashboard={page.dashboard('store/members')}
      store={store}
      members={members.map((member) => ({
        ...member,
        isYou: member.userId === session.user.id,
        href:
          isOwner && member.role !== Role.owner
            ? memberPaths.details(alias, member.userId)
            : undefined,
      }))}
      invitations={
        isOwner
          ? invitations.map(({ id, email, role, expiresAt }) => ({
              email,
              role: role ?? Role.viewer,
              expiresAt,
              href: memberPaths.invitation(alias, id),
            }))
          : undefined
      }
      inviteHref={memberPaths.invite(alias)}
      leaveHref={storePaths.leave(alias)}
      done={page.done(outcomes)}
    />
  );
}

interface MemberItem {
  name: string;
  email: string;
  role: MemberRole;
  isYou: boolean;
  isActive: boolean;
  hasSecondFactor: boolean;
  /** Epoch milliseconds; `null` if never. */
  lastSeenAt: number | null;
  /** Where to change the member; absent for the owner, and for readers of the list. */
  href?: string | undefined;
}

interface InvitationItem {
  email: string;
  role: MemberRole;
  expiresAt: number;
  href: string;
}

interface MembersPageProps {
  dashboard: DashboardProps;
  store: { name: string; zone: string };
  members: readonly MemberItem[];
  /** Absent for members with read access only. */
  invitations?: readonly InvitationItem[] | undefined;
  inviteHref: string;
  leaveHref: string;
  /** The outcome of the form before this page. */
  done?: keyof Messages['members']['list']['done'] | undefined;
}

/** The members of a store and its open invitations. */
const MembersPage = ({ dashboard, store, members, invitations, ...props }: MembersPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.members.list;
  const name = { store: <bdi>{store.name}</bdi> };
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={props.done && t.done[props.done]} />
      <p>
        <Interpolate text={t.lead} parts={name} /> {!invitations && t.readOnlyLead}
      </p>
      <div class="actions">
        {invitations && (
          <a class="button" href={props.inviteHref}>
            {t.invite}
          </a>
        )}
        <ActionMenu
          language={dashboard.layout.language}
          actions={[
            {
              control: (
                <a class="button danger" href={props.leaveHref}>
                  {t.leave}
                </a>
              ),
              hint: { text: messages.members.leave.consequence },
            },
          ]}
        />
      </div>
      <MemberTable {...{ dashboard, store, members }} isEditable={invitations !== undefined} />
      {invitations && <InvitationTable {...{ dashboard, store, invitations }} />}
    </DashboardLayout>
  );
};

const MemberTable = ({
  dashboard,
  store,
  members,
  isEditable,
}: Pick<MembersPageProps, 'dashboard' | 'store' | 'members'> & { isEditable: boolean }) => {
  const { language } = dashboard.layout;
  const { list: t, roles } = messagesFor(language).members;
  return (
    <DataTable
      caption={t.caption.replace('{store}', () => store.name)}
      rows={members}
      columns={[
        { label: t.member, cell: (member) => <MemberName {...{ member, t }} /> },
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
        ...(isEditable
          ? [
              {
                label: t.action,
                hasActions: true,
                cell: ({ href, name }: MemberItem) =>
                  href && (
                    <a href={href} aria-label={t.changeMember.replace('{name}', () => name)}>
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
  member: { name, email, isYou, isActive },
  t,
}: {
  member: MemberItem;
  t: Messages['members']['list'];
}) => (
  <>
    <bdi>{name}</bdi> {isYou && <span class="tag">{t.you}</span>}{' '}
    {!isActive && <StateBadge tone="warn" text={t.inactive} />}
    <br />
    <span class="muted">{readableAddress(email)}</span>
  </>
);

const InvitationTable = ({
  dashboard,
  store,
  invitations,
}: Pick<MembersPageProps, 'dashboard' | 'store'> & { invitations: readonly InvitationItem[] }) => {
  const { language } = dashboard.layout;
  const { list: t, roles } = messagesFor(language).members;
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
            { label: t.role, cell: ({ role }) => roles.names[role] },
            {
              label: t.until,
              cell: ({ expiresAt: at }) => (
                <FormattedTime {...{ language, at }} zone={store.zone} />
              ),
            },
            {
              label: t.action,
              hasActions: true,
              cell: ({ href, email }) => (
                <a
                  href={href}
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
    return { errors: [{ field: 'email', text: invitationProblem(page.messages, result) }] };
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
    return { errors: [{ text: invitationProblem(page.messages, result) }] };
  },
});

/**
 * Loads the member of the path. Throws 404 for the owner, whose role changes by a hand-over only, and for users who
 * are no members.
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
