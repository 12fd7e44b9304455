import type { Context } from 'hono';
import { openDatabase } from '../../db/core/open.ts';
import { findMember } from '../../db/directory/members.ts';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { Interpolate } from '../../pages/components/text.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { MemberPage } from '../../pages/members/member-page.tsx';
import { assignableRoles, changeRole } from '../../people/members/change-role.ts';
import { handOverStore } from '../../people/members/hand-over.ts';
import { removeMember } from '../../people/members/remove-member.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { type PageContext, sealFormToken } from '../../session/pages/user-pages.ts';
import { parsePathNumber } from '../path-parameters.ts';
import { memberPaths } from '../paths.ts';
import { redirectToMembers } from './members.tsx';
import { storeOfPage } from './store-of-page.ts';

/** Loads the member of the path. Throws 404 for the owner, who changes in no such way, and for everybody else. */
async function requireMember(c: Context<AppEnv>, context: PageContext) {
  const store = storeOfPage(context);
  const userId = parsePathNumber(c.req.param('userId'));
  const member = await findMember(openDatabase(c.env.DIRECTORY), { userId, storeId: store.id });
  if (!member || member.role === 'owner') throw notFound();
  return { store, member };
}

/** `GET /account/stores/:alias/members/:userId`. Shows the form again with status 422 for errors. */
export const showMember = (c: Context<AppEnv>, context: PageContext) =>
  renderMember(c, context, false);

async function renderMember(c: Context<AppEnv>, context: PageContext, hasRoleError: boolean) {
  const { store, member } = await requireMember(c, context);
  const [alias, id] = [store.alias, member.userId];
  const action = memberPaths.details(alias, id);
  const page = (
    <MemberPage
      dashboard={buildDashboardLayoutProps(c, context, 'members', action)}
      formToken={await sealFormToken(c, context, action)}
      handOverHref={memberPaths.handOver(alias, id)}
      removeHref={memberPaths.remove(alias, id)}
      back={memberPaths.list(alias)}
      {...{ action, member, hasRoleError }}
    />
  );
  return renderPage(c, page, { status: hasRoleError ? 422 : 200 });
}

/** Changes the role of a member. */
export async function submitMember(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { store, member } = await requireMember(c, context);
  const role = assignableRoles.find((candidate) => candidate === form.get('role'));
  if (!role) return renderMember(c, context, true);
  if (!(await changeRole(pageDeed(c, context), store, member.userId, role))) throw notFound();
  return redirectToMembers(c, store.alias, 'role');
}

/** What is asked before something happens to a member. */
async function askAboutMember(
  c: Context<AppEnv>,
  context: PageContext,
  deed: 'remove' | 'handOver',
  hasFailed = false,
) {
  const { store, member } = await requireMember(c, context);
  const action = memberPaths[deed](store.alias, member.userId);
  const dashboard = buildDashboardLayoutProps(c, context, 'members', action);
  const { remove, handOver } = messagesFor(dashboard.layout.language).members;
  const parts = { name: <bdi>{member.name}</bdi>, store: <bdi>{store.name}</bdi> };
  const t = deed === 'remove' ? remove : handOver;
  const last = deed === 'remove' ? remove.stays : handOver.irreversible;
  const page = (
    <ConfirmPage
      {...{ dashboard, action }}
      title={t.submit}
      question={<Interpolate text={t.question} parts={parts} />}
      paragraphs={[
        <Interpolate text={t.consequence} parts={parts} />,
        <Interpolate text={last} parts={parts} />,
      ]}
      formToken={await sealFormToken(c, context, action)}
      submit={t.submit}
      isDangerous
      back={memberPaths.details(store.alias, member.userId)}
      error={hasFailed ? handOver.failed : undefined}
    />
  );
  return renderPage(c, page, { status: hasFailed ? 422 : 200 });
}

/** `GET /account/stores/:alias/members/:userId/remove`. */
export const showRemoval = (c: Context<AppEnv>, context: PageContext) =>
  askAboutMember(c, context, 'remove');

/** Removes a member. */
export async function submitRemoval(c: Context<AppEnv>, context: PageContext) {
  const { store, member } = await requireMember(c, context);
  if (!(await removeMember(pageDeed(c, context), store, member.userId))) throw notFound();
  return redirectToMembers(c, store.alias, 'removed');
}

/** `GET /account/stores/:alias/members/:userId/hand-over`. */
export const showHandOver = (c: Context<AppEnv>, context: PageContext) =>
  askAboutMember(c, context, 'handOver');

/** Hands the store over to a member. */
export async function submitHandOver(c: Context<AppEnv>, context: PageContext) {
  const { store, member } = await requireMember(c, context);
  if (!(await handOverStore(pageDeed(c, context), store, member.userId))) {
    return askAboutMember(c, context, 'handOver', true);
  }
  return redirectToMembers(c, store.alias, 'handed');
}
