import type { Context } from 'hono';
import { withDbErrors } from '../../db/core/errors.ts';
import { openDatabase } from '../../db/core/open.ts';
import { selectOpenInvitations } from '../../db/directory/invitations.ts';
import { selectMembers } from '../../db/directory/members.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { MembersPage } from '../../pages/members/members-page.tsx';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { memberPaths, storePaths } from '../paths.ts';
import { storeOfPage } from './store-of-page.ts';

/** What a form did before it led to the list. */
const outcomes = ['invited', 'withdrawn', 'role', 'removed', 'handed'] as const;

/** Redirects to the list, which says what the form did. */
export const redirectToMembers = (
  c: Context<AppEnv>,
  alias: string,
  done: (typeof outcomes)[number],
) => c.redirect(`${memberPaths.list(alias)}?done=${done}`, 303);

/** `GET /account/stores/:alias/members`: members and, for the owner, open invitations. One round trip. */
export async function showMembers(c: Context<AppEnv>, context: PageContext) {
  const { session, now } = context;
  const store = storeOfPage(context);
  const { alias } = store;
  const directory = openDatabase(c.env.DIRECTORY);
  const [members, invitations] = await withDbErrors(
    directory.batch([
      selectMembers(directory, store.id),
      selectOpenInvitations(directory, { storeId: store.id }, now),
    ]),
  );
  const isOwner = store.role === 'owner';
  const done = outcomes.find((outcome) => outcome === c.req.query('done'));
  const page = (
    <MembersPage
      dashboard={buildDashboardLayoutProps(c, context, 'members', memberPaths.list(alias))}
      store={store}
      members={members.map((member) => ({
        ...member,
        isYou: member.userId === session.user.id,
        href:
          isOwner && member.role !== 'owner'
            ? memberPaths.details(alias, member.userId)
            : undefined,
      }))}
      invitations={
        isOwner
          ? invitations.map(({ id, email, role, expiresAt }) => ({
              email,
              role: role ?? 'viewer',
              expiresAt,
              href: memberPaths.invitation(alias, id),
            }))
          : undefined
      }
      inviteHref={memberPaths.invite(alias)}
      leaveHref={storePaths.leave(alias)}
      done={done}
    />
  );
  return renderPage(c, page);
}
