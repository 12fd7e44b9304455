import { notFound } from '../../base/errors.ts';
import { memberPaths, storePaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { findStoreJob } from '../../data/directory/job-queries.ts';
import { exportFile, exportResponse } from '../../stores/export/export-download.ts';
import type { UserPage, SignedInPage } from '../../web/page.ts';
import {
  productExportForm,
  productExportsForm,
  showProductLines,
  showProductTable,
} from './exports.tsx';
import { importColumnsForm } from './import-columns.tsx';
import { importForm, importsForm, showImportErrors } from './imports.tsx';
import {
  handOverForm,
  inviteForm,
  memberForm,
  memberRemovalForm,
  openInvitationForm,
  showMembers,
} from './member-pages.tsx';
import { showStore } from './show-store.tsx';
import { closeForm, exportForm, factorRuleForm, leaveForm, reopenForm } from './store-actions.tsx';
import { showActivity } from './store-activity.tsx';
import { storeCreateForm, storeEditForm } from './store-form.tsx';

/**
 * `GET /account/stores/:alias/exports/:id`: the file of an export, for the owner. 404 when it is
 * gone.
 */
async function showExportFile(page: SignedInPage): Promise<Response> {
  const { store, directory, env, now } = page;
  const wanted = { id: page.id('id'), kind: 'store_export', storeId: store.id } as const;
  const job = await findStoreJob(directory, wanted);
  const file = job && exportFile(env.ARCHIVE, job, now);
  if (!file) throw notFound();
  return exportResponse(file, store.alias);
}

const alias = ':alias';

/** The pages under `/account/stores`, and the form that creates a store. */
export const storePages: readonly UserPage[] = [
  { path: storePaths.activity(alias), role: Role.viewer, opensInactive: true, show: showActivity },
  storeCreateForm,
  { path: storePaths.details(alias), role: Role.viewer, opensInactive: true, show: showStore },
  storeEditForm,
  factorRuleForm,
  exportForm,
  {
    path: storePaths.exportFile(alias, ':id'),
    role: Role.owner,
    needsProof: 'toShow',
    opensInactive: true,
    show: showExportFile,
  },
  importsForm,
  importColumnsForm,
  importForm,
  { path: storePaths.importErrors(alias, ':id'), role: Role.viewer, show: showImportErrors },
  productExportsForm,
  productExportForm,
  {
    path: storePaths.productFile(alias, ':id', 'ndjson'),
    role: Role.viewer,
    show: showProductLines,
  },
  { path: storePaths.productFile(alias, ':id', 'csv'), role: Role.viewer, show: showProductTable },
  closeForm,
  reopenForm,
  leaveForm,
  { path: memberPaths.list(alias), role: Role.viewer, show: showMembers },
  inviteForm,
  openInvitationForm,
  memberForm,
  memberRemovalForm,
  handOverForm,
];
