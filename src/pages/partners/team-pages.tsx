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
import { readableAddress } from '../../base/hosts.ts';
import { teamPaths } from '../../base/page-paths.ts';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormProps,
} from '../../web/components/form-fields.tsx';
import { Interpolate, UntrustedName, FlashMessage } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { formEmail } from '../../web/forms/form-values.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';

const flashes = ['invited', 'withdrawn', 'removed', 'left'] as const;

const ofTeam = { role: 'partner', part: 'partners/team' } as const;

/** `/partners/team`: the team, open invitations, and the form that invites an address by mail. */
export const teamForm = userForm({
  ...ofTeam,
  proof: true,
  limit: 'invitations',
  path: teamPaths.team,
  load: ({ action }) => loadTeam(action),
  fields: ({ partnerTools }) =>
    z.object({ email: formEmail({ invalid: partnerTools.team.emailWrong }) }),
  render: (page, team, form) => <TeamPage {...{ page, team, form }} />,
  async submit(page, { email }) {
    const { action, language, messages } = page;
    const result = await inviteToTeam(action, { email, language });
    if (result === 'invited') return page.redirect(`${teamPaths.team}?done=invited`);
    const { alreadyMember, tooMany } = messages.partnerTools.team;
    const text = result === 'already_member' ? alreadyMember : tooMany;
    return { errors: [{ field: 'email', text }] };
  },
});

/**
 * A member of the user's team goes, the user leaves another partner's team, or an invitation is
 * withdrawn.
 */
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
    proof: true,
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

/** The team of a partner: its members, open invitations, and the form that invites. */
const TeamPage = ({
  page,
  team: { members, invitations, partners },
  form,
}: {
  page: SignedInPage;
  team: Awaited<ReturnType<typeof loadTeam>>;
  form: FormProps;
}) => {
  const { language, messages } = page;
  const zone = defaultZone;
  const { team: t } = messages.partnerTools;
  const flash = form.sent ? undefined : page.done(flashes);
  return (
    <DashboardLayout {...page.dashboard('partners/team')} title={t.title}>
      <h1>{t.title}</h1>
      {form.errors.length > 0 && (
        <ErrorSummary title={messages.errorSummary} errors={form.errors} />
      )}
      <FlashMessage text={flash && t.flash[flash]} />
      <p>{t.lead}</p>
      {members.length === 0 && <EmptyState text={t.none} />}
      {members.length > 0 && (
        <DataTable
          caption={t.caption}
          rows={members}
          columns={[
            { label: t.columns.name, cell: ({ name }) => <UntrustedName name={name} /> },
            { label: t.columns.email, cell: ({ email }) => <bdi>{readableAddress(email)}</bdi> },
            {
              label: t.columns.since,
              cell: ({ since }) => <FormattedTime {...{ language, zone }} at={since} />,
            },
            {
              label: t.columns.action,
              cell: ({ id, name }) => (
                <Action href={teamPaths.remove(id)} text={t.remove} of={name} />
              ),
            },
          ]}
        />
      )}
      {invitations.length > 0 && (
        <DataTable
          caption={t.open}
          rows={invitations}
          columns={[
            { label: t.columns.email, cell: ({ email }) => <bdi>{readableAddress(email)}</bdi> },
            {
              label: t.until,
              cell: ({ expiresAt }) => <FormattedTime {...{ language, zone }} at={expiresAt} />,
            },
            {
              label: t.columns.action,
              cell: ({ id, email }) => (
                <Action
                  href={teamPaths.withdraw(id)}
                  text={t.withdraw}
                  of={readableAddress(email)}
                />
              ),
            },
          ]}
        />
      )}
      <h2>{t.invite}</h2>
      <form method="post" action={form.action} novalidate>
        <FormTokenInput formToken={form.formToken} />
        <TextField
          name="email"
          label={t.email}
          hint={t.emailHint}
          type="email"
          value={form.sent?.get('email') ?? ''}
          autocomplete="off"
          error={form.errors[0]?.text}
        />
        <div class="actions">
          <button>{t.invite}</button>
        </div>
      </form>
      {partners.length > 0 && (
        <DataTable
          caption={t.others}
          rows={partners}
          columns={[
            { label: t.partner, cell: ({ name }) => <UntrustedName name={name} /> },
            {
              label: t.columns.action,
              cell: ({ id, name }) => (
                <Action href={teamPaths.leave(id)} text={t.leave} of={name} />
              ),
            },
          ]}
        />
      )}
    </DashboardLayout>
  );
};

/** A link whose accessible name includes the person. */
const Action = ({ href, text, of }: { href: string; text: string; of: string }) => (
  <a href={href}>
    {text}
    <span class="visually-hidden">: {of}</span>
  </a>
);
