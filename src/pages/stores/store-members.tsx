import { assignableRoles, Role } from '../../base/roles.ts';
import { selectOpenInvitations } from '../../data/directory/invitations.ts';
import { selectMembers } from '../../data/directory/members.ts';
import type { SignedInPage } from '../../web/page.ts';
import { memberPaths, storePaths } from '../../web/paths.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { MembersPage } from './members-page.tsx';

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
