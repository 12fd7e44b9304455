import type { Context } from 'hono';
import { openDatabase } from '../../db/core/open.ts';
import type { ManagedStore } from '../../db/directory/sessions.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { exportKeptMs, isExportKept } from '../../jobs/export/kept.ts';
import type { Job } from '../../jobs/job.ts';
import { listStoreJobs } from '../../jobs/queries.ts';
import { StorePage, type ExportState } from '../../pages/stores/store-page.tsx';
import { includesRole } from '../../session/pages/page-roles.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { memberPaths, storePaths } from '../paths.ts';
import { storeOfPage } from './store-of-page.ts';

/** What a form did before it led to the page of the store. */
const outcomes = ['saved', 'exportAsked', 'factorChanged', 'closed', 'reopened', 'made'] as const;

/** Redirects to the page of a store, which says what the form did. */
export const redirectToStore = (
  c: Context<AppEnv>,
  alias: string,
  done: (typeof outcomes)[number],
) => c.redirect(`${storePaths.details(alias)}?done=${done}`, 303);

/** `GET /account/stores/:alias`. One round trip more than other pages for the owner, who sees the last export. */
export async function showStore(c: Context<AppEnv>, context: PageContext) {
  const store = storeOfPage(context);
  const { alias } = store;
  const isOwner = store.role === 'owner';
  const [lastExport] = isOwner
    ? await listStoreJobs(
        openDatabase(c.env.DIRECTORY),
        { kind: 'store_export', storeId: store.id },
        1,
      )
    : [];
  const page = (
    <StorePage
      dashboard={buildDashboardLayoutProps(c, context, 'stores', storePaths.details(alias))}
      store={{
        ...store,
        isTest: store.test,
        isFactorRequired: store.mfaRequired,
        inactive: store.active
          ? undefined
          : { reason: store.inactiveReason, since: store.inactiveSince, eraseAt: store.eraseAt },
      }}
      hrefs={hrefsFor(store)}
      lastExport={lastExport && exportState(lastExport, alias, context.now)}
      done={outcomes.find((outcome) => outcome === c.req.query('done'))}
    />
  );
  return renderPage(c, page);
}

/** Where the role of a member and the state of the store let them go. */
function hrefsFor({ alias, role, active, eraseAt }: ManagedStore) {
  const isOwner = role === 'owner';
  if (!active) {
    return {
      ...(isOwner && { export: storePaths.export(alias) }),
      ...(isOwner && eraseAt !== null && { reopen: storePaths.reopen(alias) }),
    };
  }
  return {
    members: memberPaths.list(alias),
    activity: storePaths.activity(alias),
    ...(includesRole(role, 'manager') && { edit: storePaths.edit(alias) }),
    ...(isOwner && {
      secondFactor: storePaths.secondFactor(alias),
      export: storePaths.export(alias),
      close: storePaths.close(alias),
    }),
  };
}

/** What to tell about the last export; nothing about one whose file is gone. */
function exportState(job: Job, alias: string, now: number): ExportState | undefined {
  const { state, done, total, id, finished_at: at } = job;
  if (state === 'waiting' || state === 'failed') return { kind: state };
  if (state === 'running') return { kind: 'running', done, total: Math.max(total, done) };
  if (at === null || !isExportKept(job, now)) return undefined;
  return { kind: 'ready', at, until: at + exportKeptMs, href: storePaths.exportFile(alias, id) };
}
