import type { Hono } from 'hono';
import { browserPaths, operatorPaths } from '../../base/page-paths.ts';
import type { AppEnv } from '../../http/app-env.ts';
import type { SignedInPage, UserPage } from '../../web/page.ts';
import { mountUserPages } from '../../web/user-pages.tsx';
import { counts } from './concerned.ts';
import { actionPages } from './operator-actions.tsx';
import { showOperatorActivity } from './operator-activity.tsx';
import { requireOperatedApp, showOperatedApp, showOperatedApps } from './operator-apps.tsx';
import { requireBlockedHost, showBlockedHosts } from './operator-hosts.tsx';
import { showObjectives } from './operator-objectives.tsx';
import { requireDatabase, showOperatorOverview } from './operator-overview.tsx';
import {
  requireErasure,
  requireOperatedStore,
  sendOperatedExport,
  showOperatedStore,
  showOperatedStores,
} from './operator-stores.tsx';
import {
  requireOperatedKey,
  requireOperatedUser,
  showOperatedUser,
  showOperatedUsers,
} from './operator-users.tsx';

const ofOperators = (path: string, show: UserPage['show']): UserPage => ({
  path,
  show,
  isForOperators: true,
});

/** The member of the path, in the store of the path. */
async function requireMember(page: SignedInPage) {
  const { members } = await requireOperatedStore(page);
  const userId = page.id('user_id');
  return { name: members.find(({ user_id: id }) => id === userId)?.name ?? String(userId) };
}

const actions = actionPages({
  store: requireOperatedStore,
  erasure: requireErasure,
  member: requireMember,
  user: requireOperatedUser,
  key: requireOperatedKey,
  app: requireOperatedApp,
  host: requireBlockedHost,
  database: requireDatabase,
  counts,
});

/** The pages under `/operator`. They exist for operators only. */
export const operatorPages: readonly UserPage[] = [
  ofOperators(operatorPaths.overview, showOperatorOverview),
  ofOperators(operatorPaths.objectives, showObjectives),
  ...actions.create,
  ofOperators(operatorPaths.stores, showOperatedStores),
  ofOperators(operatorPaths.store(':id'), showOperatedStore),
  {
    ...ofOperators(operatorPaths.exportFile(':id', ':jobId'), sendOperatedExport),
    needsProof: 'toShow',
  },
  ...actions.store,
  ofOperators(operatorPaths.users, showOperatedUsers),
  ofOperators(operatorPaths.user(':id'), showOperatedUser),
  ...actions.user,
  ofOperators(operatorPaths.apps, showOperatedApps),
  ofOperators(operatorPaths.app(':id'), showOperatedApp),
  ...actions.app,
  ofOperators(operatorPaths.hosts, showBlockedHosts),
  ...actions.host,
  ...actions.database,
  ofOperators(operatorPaths.activity, showOperatorActivity),
];

/** Mounts the pages under `/operator`. */
export const mountOperator = (pages: Hono<AppEnv>): void =>
  mountUserPages(pages, { root: browserPaths.operator, operation: 'operator' }, operatorPages);
