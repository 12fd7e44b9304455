import * as z from 'zod';
import { revokeInvitation } from '../../accounts/members/revoke-invitation.ts';
import {
  findTeamInvitation,
  inviteToTeam,
  loadTeam,
  removeFromTeam,
} from '../../accounts/partners/team.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { formEmail } from '../../web/forms/fields.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { teamPaths } from '../../web/paths.ts';
import { TeamPage } from './team-page.tsx';

const flashes = ['invited', 'withdrawn', 'removed', 'left'] as const;

const ofTeam = { role: 'partner', part: 'partners/team' } as const;

/** `/partners/team`: the team, open invitations, and the form that invites an address by mail. */
export const teamForm = userForm({
  ...ofTeam,
  limit: 'invitations',
  path: teamPaths.team,
  load: ({ action }) => loadTeam(action),
  fields: ({ partnerTools }) =>
    z.object({ email: formEmail({ invalid: partnerTools.team.emailWrong }) }),
  render(page, { members, invitations, partners }, form) {
    return (
      <TeamPage
        {...{ form }}
        dashboard={page.dashboard('partners/team')}
        members={members.map(({ id, ...member }) => ({
          ...member,
          removeHref: teamPaths.remove(id),
        }))}
        invitations={invitations.map(({ id, ...invitation }) => ({
          ...invitation,
          withdrawHref: teamPaths.withdraw(id),
        }))}
        partners={partners.map(({ id, name }) => ({ name, leaveHref: teamPaths.leave(id) }))}
        zone={defaultZone}
        flash={form.sent ? undefined : page.done(flashes)}
      />
    );
  },
  async submit(page, { email }) {
    const { action, language, messages } = page;
    const result = await inviteToTeam(action, { email, language });
    if (result === 'invited') return page.redirect(`${teamPaths.team}?done=invited`);
    const { alreadyMember, tooMany } = messages.partnerTools.team;
    const text = result === 'already_member' ? alreadyMember : tooMany;
    return { errors: [{ field: 'email', text }] };
  },
});

/** A member of the user's team goes, the user leaves another partner's team, or an invitation is withdrawn. */
type Removal = 'remove' | 'leave' | 'withdraw';

const flashOf = { remove: 'removed', leave: 'left', withdraw: 'withdrawn' } as const;

/** Names whom a removal is about. Throws a 404 for an unknown id. */
async function findName(page: SignedInPage, removal: Removal): Promise<string> {
  const id = page.id('id');
  if (removal === 'withdraw') return (await requireInvitation(page)).email;
  const { members, partners } = await loadTeam(page.action);
  const found = (removal === 'remove' ? members : partners).find((person) => person.id === id);
  if (!found) throw notFound();
  return found.name;
}

async function requireInvitation(page: SignedInPage) {
  const invitation = await findTeamInvitation(page.action, page.id('id'));
  if (!invitation) throw notFound();
  return invitation;
}

/** Asks before a user leaves a team, or an invitation is withdrawn. */
export const teamRemovalForms = (['withdraw', 'remove', 'leave'] as const).map((removal) =>
  confirmation({
    ...ofTeam,
    limit: 'pages',
    path: teamPaths[removal](':id'),
    load: (page) => findName(page, removal),
    ask({ messages }, name) {
      const { team: t } = messages.partnerTools;
      const parts = { name: <UntrustedName name={name} /> };
      return {
        question: <Interpolate text={t[`${removal}Question`]} parts={parts} />,
        paragraphs: [t[`${removal}Lead`]],
        submit: t[removal],
        back: teamPaths.team,
      };
    },
    async submit(page) {
      const { action, user } = page;
      if (removal === 'withdraw') {
        const invitation = await requireInvitation(page);
        const partner = { partnerId: user.id };
        if (!(await revokeInvitation(action, invitation, partner))) throw notFound();
      } else {
        const id = page.id('id');
        const pair =
          removal === 'remove'
            ? { partnerId: user.id, userId: id }
            : { partnerId: id, userId: user.id };
        if (!(await removeFromTeam(action, pair))) throw notFound();
      }
      return page.redirect(`${teamPaths.team}?done=${flashOf[removal]}`);
    },
  }),
);
