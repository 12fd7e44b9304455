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
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
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
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';

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

type TeamMessages = Messages['partnerTools']['team'];

interface TeamPageProps {
  dashboard: DashboardProps;
  /** Times are epoch milliseconds. */
  members: readonly { name: string; email: string; since: number; removeHref: string }[];
  invitations: readonly { email: string; expiresAt: number; withdrawHref: string }[];
  /** The partners whose teams the user is in. */
  partners: readonly { name: string; leaveHref: string }[];
  zone: string;
  form: FormProps;
  flash: keyof TeamMessages['flash'] | undefined;
}

/** The team of a partner: its members, open invitations, and the form that invites. */
const TeamPage = ({ dashboard, zone, form, ...props }: TeamPageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const { team: t } = messages.partnerTools;
  const { members, invitations, partners } = props;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      {form.errors.length > 0 && (
        <ErrorSummary title={messages.errorSummary} errors={form.errors} />
      )}
      <FlashMessage text={props.flash && t.flash[props.flash]} />
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
              cell: ({ removeHref, name }) => (
                <Action href={removeHref} text={t.remove} of={name} />
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
              cell: ({ withdrawHref, email }) => (
                <Action href={withdrawHref} text={t.withdraw} of={readableAddress(email)} />
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
              cell: ({ leaveHref, name }) => <Action href={leaveHref} text={t.leave} of={name} />,
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
