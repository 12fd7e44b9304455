import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { Interpolate } from '../../pages/components/text.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { InfoPage } from '../../pages/layout/info-page.tsx';
import { removeMember } from '../../people/members/remove-member.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { type PageContext, sealFormToken } from '../../session/pages/user-pages.ts';
import { memberPaths, storePaths } from '../paths.ts';
import { storeOfPage } from './store-of-page.ts';

/** `GET /account/stores/:alias/leave`. The owner hands the store over first. */
export async function showLeave(c: Context<AppEnv>, context: PageContext) {
  const store = storeOfPage(context);
  if (store.role === 'owner') return showOwnerStays(c, context, 200);
  const action = storePaths.leave(store.alias);
  const dashboard = buildDashboardLayoutProps(c, context, 'members', action);
  const t = messagesFor(dashboard.layout.language).members.leave;
  const page = (
    <ConfirmPage
      {...{ dashboard, action }}
      title={t.submit}
      question={<Interpolate text={t.question} parts={{ store: <bdi>{store.name}</bdi> }} />}
      paragraphs={[t.consequence, t.again]}
      formToken={await sealFormToken(c, context, action)}
      submit={t.submit}
      isDangerous
      back={memberPaths.list(store.alias)}
    />
  );
  return renderPage(c, page);
}

/** Ends the membership of the signed-in user. */
export async function submitLeave(c: Context<AppEnv>, context: PageContext) {
  const { session } = context;
  const hasLeft = await removeMember(pageDeed(c, context), storeOfPage(context), session.user.id, {
    isLeaving: true,
  });
  if (!hasLeft) return showOwnerStays(c, context, 422);
  return c.redirect(`${browserPaths.account}?done=left`, 303);
}

function showOwnerStays(c: Context<AppEnv>, context: PageContext, status: 200 | 422) {
  const { alias } = storeOfPage(context);
  const { layout } = buildDashboardLayoutProps(c, context, 'members', storePaths.leave(alias));
  const t = messagesFor(layout.language).members.leave;
  const link = { href: memberPaths.list(alias), text: t.toMembers };
  const page = <InfoPage {...{ layout, link }} title={t.submit} paragraphs={[t.owner]} />;
  return renderPage(c, page, { status });
}
