import type { Context } from 'hono';
import { email as emailField } from '../../codecs/fields/string-formats.ts';
import { defaultZone } from '../../codecs/time/zone.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { TeamPage } from '../../pages/partners/team-page.tsx';
import { inviteToTeam, loadTeam } from '../../people/partners/team.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { buildPartnerLayoutProps } from '../dashboard.ts';
import { teamPaths } from '../paths.ts';

const flashes = ['invited', 'withdrawn', 'removed', 'left'] as const;

type Fault = 'emailWrong' | 'alreadyMember' | 'tooMany';

async function showPage(
  c: Context<AppEnv>,
  context: PageContext,
  { email = '', error }: { email?: string; error?: Fault } = {},
) {
  const { members, invitations, partners } = await loadTeam(pageDeed(c, context));
  const done = c.req.query('done');
  const page = (
    <TeamPage
      dashboard={buildPartnerLayoutProps(c, context, 'team', teamPaths.team)}
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
      action={teamPaths.team}
      formToken={await sealFormToken(c, context, teamPaths.team)}
      flash={error ? undefined : flashes.find((news) => news === done)}
      {...{ email, error }}
    />
  );
  return renderPage(c, page, { status: error ? 422 : 200 });
}

/** `GET /partners/team`. */
export const showTeam = (c: Context<AppEnv>, context: PageContext) => showPage(c, context);

/** `POST /partners/team`: invites an address to the team by mail. */
export async function submitTeamInvitation(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const typed = (form.get('email') ?? '').trim();
  const { data: email } = emailField.safeParse(typed);
  if (email === undefined) return showPage(c, context, { email: typed, error: 'emailWrong' });
  const { language } = buildPartnerLayoutProps(c, context, 'team', teamPaths.team).layout;
  const result = await inviteToTeam(pageDeed(c, context), { email, language });
  if (result === 'already_member') {
    return showPage(c, context, { email: typed, error: 'alreadyMember' });
  }
  if (result === 'too_many') return showPage(c, context, { email: typed, error: 'tooMany' });
  return c.redirect(`${teamPaths.team}?done=invited`, 303);
}
