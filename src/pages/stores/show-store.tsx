import { includesRole, Role } from '../../base/roles.ts';
import type { Job } from '../../data/directory/job.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import { listStoreJobs } from '../../platform/jobs/job-queries.ts';
import { exportKeptMs, isExportKept } from '../../platform/jobs/kept-exports.ts';
import type { SignedInPage } from '../../web/page.ts';
import { memberPaths, storePaths } from '../../web/paths.ts';
import { StorePage, type ExportState } from './store-page.tsx';

/** The outcomes of forms that lead to the page of the store. */
const outcomes = ['saved', 'exportAsked', 'factorChanged', 'closed', 'reopened', 'made'] as const;

/** The page of a store, with the outcome of the form. */
export const storeDonePath = ({ alias }: { alias: string }, done: (typeof outcomes)[number]) =>
  `${storePaths.details(alias)}?done=${done}`;

/** `GET /account/stores/:alias`. One round trip more than other pages for the owner, who sees the last export. */
export async function showStore(page: SignedInPage) {
  const { store, directory } = page;
  const { alias } = store;
  const isOwner = store.role === Role.owner;
  const [lastExport] = isOwner
    ? await listStoreJobs(directory, { kind: 'store_export', storeId: store.id }, 1)
    : [];
  return (
    <StorePage
      dashboard={page.dashboard('store/stores')}
      store={{
        ...store,
        isTest: store.test,
        isFactorRequired: store.mfaRequired,
        inactive: store.active ? undefined : store,
      }}
      hrefs={hrefsFor(store)}
      lastExport={lastExport && exportState(lastExport, alias, page.now)}
      done={page.done(outcomes)}
    />
  );
}

/** The pages that the role of a member and the state of the store allow. */
function hrefsFor({ alias, role, active, closedBy }: ManagedStore) {
  const isOwner = role === Role.owner;
  if (!active) {
    return {
      ...(isOwner && { export: storePaths.export(alias) }),
      ...(isOwner && closedBy === 'owner' && { reopen: storePaths.reopen(alias) }),
    };
  }
  return {
    members: memberPaths.list(alias),
    activity: storePaths.activity(alias),
    ...(includesRole(role, Role.manager) && { edit: storePaths.edit(alias) }),
    ...(isOwner && {
      secondFactor: storePaths.secondFactor(alias),
      export: storePaths.export(alias),
      close: storePaths.close(alias),
    }),
  };
}

/** Returns the state of the last export; `undefined` for one whose file is gone. */
function exportState(job: Job, alias: string, now: number): ExportState | undefined {
  const { state, done, total, id, finished_at: at } = job;
  if (state === 'waiting' || state === 'failed') return { kind: state };
  if (state === 'running') return { kind: 'running', done, total: Math.max(total, done) };
  if (at === null || !isExportKept(job, now)) return undefined;
  return { kind: 'ready', at, until: at + exportKeptMs, href: storePaths.exportFile(alias, id) };
}
