import { assignableRoles, Role } from '../../base/roles.ts';
import { selectOpenInvitations } from '../../data/directory/invitations.ts';
import { selectMembers } from '../../data/directory/members.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { FlashMessage, Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { memberPaths, storePaths } from '../../web/paths.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';

/** The outcomes of forms that lead to the list. */
const outcomes = ['invited', 'withdrawn', 'role', 'removed', 'handed'] as const;

/** The list, with the outcome of the form. */
export const membersDonePath = ({ alias }: { alias: string }, done: (typeof outcomes)[number]) =>
  `${memberPaths.list(alias)}?done=${done}`;

/** The roles that an owner gives. */
export const roleView = ({ members: { roles } }: Messages) => ({
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

type Role = keyof Messages['members']['roles']['names'];

interface MemberItem {
  name: string;
  email: string;
  role: Role;
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
  role: Role;
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
      {invitations && (
        <p>
          <a class="button" href={props.inviteHref}>
            {t.invite}
          </a>
        </p>
      )}
      <MemberTable {...{ dashboard, store, members }} isEditable={invitations !== undefined} />
      {invitations && <InvitationTable {...{ dashboard, store, invitations }} />}
      <p>
        <a class="target" href={props.leaveHref}>
          {t.leave}
        </a>
      </p>
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
    <span class="muted">{email}</span>
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
            { label: t.address, cell: ({ email }) => email },
            { label: t.role, cell: ({ role }) => roles.names[role] },
            {
              label: t.until,
              cell: ({ expiresAt: at }) => (
                <FormattedTime {...{ language, at }} zone={store.zone} />
              ),
            },
            {
              label: t.action,
              cell: ({ href, email }) => (
                <a href={href} aria-label={t.manageAddress.replace('{email}', () => email)}>
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
