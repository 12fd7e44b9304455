import type { Context, Hono } from 'hono';
import type { AppEnv } from '../http/app-env.ts';
import { browserPaths } from '../session/pages/paths.ts';
import { mountUserPages, type UserPage } from '../session/pages/user-pages.ts';
import { showOperatorActivity } from './activity.tsx';
import { requireOperatedApp, showOperatedApp, showOperatedApps } from './apps.tsx';
import { createPages } from './create.tsx';
import { requireId } from './dashboard.ts';
import { deedPage } from './deed-page.tsx';
import { appDeeds, drainDeed } from './deeds/service-deeds.ts';
import { removeMemberDeed, storeDeeds } from './deeds/store-deeds.ts';
import { userDeeds } from './deeds/user-deeds.ts';
import { sendOperatedExport } from './export-file.ts';
import { requireDatabase, showOperatorOverview } from './overview.tsx';
import { operatorPaths } from './paths.ts';
import { requireOperatedStore, showOperatedStore, showOperatedStores } from './stores.tsx';
import { requireOperatedUser, showOperatedUser, showOperatedUsers } from './users.tsx';

const ofOperators = (path: string, show: UserPage['show']): UserPage => ({
  path,
  show,
  isForOperators: true,
});

/** A member of the store of the path, who is removed from it. */
async function requireMember(c: Context<AppEnv>) {
  const store = await requireOperatedStore(c);
  const userId = requireId(c, 'userId');
  const member = store.members.find(({ user_id: id }) => id === userId);
  const name = member?.name ?? String(userId);
  return { id: userId, name, back: operatorPaths.store(store.id), storeId: store.id };
}

/** The pages under `/operator`. To everyone but operators they do not exist. */
export const operatorPages: readonly UserPage[] = [
  ofOperators(operatorPaths.overview, showOperatorOverview),
  ...createPages,
  ofOperators(operatorPaths.stores, showOperatedStores),
  ofOperators(operatorPaths.store(':id'), showOperatedStore),
  {
    ...ofOperators(operatorPaths.exportFile(':id', ':jobId'), sendOperatedExport),
    needsProof: true,
  },
  deedPage(operatorPaths.removeMember(':id', ':userId'), 'stores', removeMemberDeed, requireMember),
  ...storeDeeds.map((deed) =>
    deedPage(`${operatorPaths.store(':id')}/${deed.segment}`, 'stores', deed, async (c) => {
      const { id, name } = await requireOperatedStore(c);
      return { id, name, back: operatorPaths.store(id) };
    }),
  ),
  ofOperators(operatorPaths.users, showOperatedUsers),
  ofOperators(operatorPaths.user(':id'), showOperatedUser),
  ...userDeeds.map((deed) =>
    deedPage(`${operatorPaths.user(':id')}/${deed.segment}`, 'users', deed, async (c, context) => {
      const { id, name } = await requireOperatedUser(c, context);
      return { id, name, back: operatorPaths.user(id) };
    }),
  ),
  ofOperators(operatorPaths.apps, showOperatedApps),
  ofOperators(operatorPaths.app(':id'), showOperatedApp),
  ...appDeeds.map((deed) =>
    deedPage(`${operatorPaths.app(':id')}/${deed.segment}`, 'apps', deed, async (c) => {
      const { id, name } = await requireOperatedApp(c);
      return { id, name, back: operatorPaths.app(id) };
    }),
  ),
  deedPage(operatorPaths.drain(':number'), 'overview', drainDeed, requireDatabase),
  ofOperators(operatorPaths.activity, showOperatorActivity),
];

/** Mounts the pages under `/operator`. */
export const mountOperator = (pages: Hono<AppEnv>): void =>
  mountUserPages(pages, { root: browserPaths.operator, operation: 'operator' }, operatorPages);
