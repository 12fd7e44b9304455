import type { Context } from 'hono';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { Interpolate, UntrustedName } from '../../pages/components/text.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { revokeInvitation } from '../../people/invitations/revoke.ts';
import { findTeamInvitation, loadTeam, removeFromTeam } from '../../people/partners/team.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { buildPartnerLayoutProps } from '../dashboard.ts';
import { teamPaths } from '../paths.ts';

type Removal = 'remove' | 'leave' | 'withdraw';

const idOf = (c: Context<AppEnv>): number => {
  const { id = '' } = c.req.param();
  if (!/^\d{1,15}$/.test(id)) throw notFound();
  return Number(id);
};

/** Names whom a removal is about. Throws a 404 if there is nobody of this id. */
async function findName(c: Context<AppEnv>, context: PageContext, removal: Removal) {
  const deed = pageDeed(c, context);
  const id = idOf(c);
  if (removal === 'withdraw') {
    const invitation = await findTeamInvitation(deed, id);
    if (!invitation) throw notFound();
    return invitation.email;
  }
  const { members, partners } = await loadTeam(deed);
  const found = (removal === 'remove' ? members : partners).find((person) => person.id === id);
  if (!found) throw notFound();
  return found.name;
}

/** Asks before somebody leaves a team, or an invitation is withdrawn. */
export const showTeamRemoval =
  (removal: Removal) => async (c: Context<AppEnv>, context: PageContext) => {
    const name = await findName(c, context, removal);
    const action = teamPaths[removal](idOf(c));
    const dashboard = buildPartnerLayoutProps(c, context, 'team', action);
    const { team: t } = messagesFor(dashboard.layout.language).partnerTools;
    const page = (
      <ConfirmPage
        {...{ dashboard, action }}
        title={t[removal]}
        question={
          <Interpolate
            text={t[`${removal}Question`]}
            parts={{ name: <UntrustedName name={name} /> }}
          />
        }
        paragraphs={[t[`${removal}Lead`]]}
        formToken={await sealFormToken(c, context, action)}
        submit={t[removal]}
        isDangerous
        back={teamPaths.team}
      />
    );
    return renderPage(c, page);
  };

const flashOf = { remove: 'removed', leave: 'left', withdraw: 'withdrawn' } as const;

/** Removes a member of the user's team, leaves another partner's team, or withdraws an invitation. */
export const submitTeamRemoval =
  (removal: Removal) => async (c: Context<AppEnv>, context: PageContext) => {
    const deed = pageDeed(c, context);
    const [id, own] = [idOf(c), context.session.user.id];
    if (removal === 'withdraw') {
      const invitation = await findTeamInvitation(deed, id);
      if (!invitation) throw notFound();
      await revokeInvitation(deed, invitation);
    } else {
      const pair =
        removal === 'remove' ? { partnerId: own, userId: id } : { partnerId: id, userId: own };
      if (!(await removeFromTeam(deed, pair))) throw notFound();
    }
    return c.redirect(`${teamPaths.team}?done=${flashOf[removal]}`, 303);
  };
