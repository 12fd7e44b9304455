import type { Context } from 'hono';
import { openDatabase } from '../db/core/open.ts';
import { notFound } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { exportFile, exportResponse } from '../jobs/export/download.ts';
import { findStoreJob } from '../jobs/queries.ts';
import type { PageContext } from '../session/pages/user-pages.ts';
import { requireId } from './dashboard.ts';
import { requireOperatedStore } from './stores.tsx';

/** `GET /operator/stores/{id}/exports/{jobId}`: the file of an export. 404 when it is gone. */
export async function sendOperatedExport(c: Context<AppEnv>, { now }: PageContext) {
  const { id: storeId, alias } = await requireOperatedStore(c);
  const wanted = { id: requireId(c, 'jobId'), kind: 'store_export', storeId } as const;
  const job = await findStoreJob(openDatabase(c.env.DIRECTORY), wanted);
  const file = job && exportFile(c.env.ARCHIVE, job, now);
  if (!file) throw notFound();
  return exportResponse(file, alias);
}
