import { notFound } from '../../base/errors.ts';
import { exportFile, exportResponse } from '../../platform/jobs/export/download.ts';
import { findStoreJob } from '../../platform/jobs/job-queries.ts';
import type { SignedInPage } from '../../web/page.ts';

/** `GET /account/stores/:alias/exports/:id`: the file of an export, for the owner. 404 when it is gone. */
export async function showExportFile(page: SignedInPage): Promise<Response> {
  const { store, directory, env, now } = page;
  const wanted = { id: page.id('id'), kind: 'store_export', storeId: store.id } as const;
  const job = await findStoreJob(directory, wanted);
  const file = job && exportFile(env.ARCHIVE, job, now);
  if (!file) throw notFound();
  return exportResponse(file, store.alias);
}
