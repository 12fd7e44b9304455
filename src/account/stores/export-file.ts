import type { Context } from 'hono';
import { openDatabase } from '../../db/core/open.ts';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { exportFile, exportResponse } from '../../jobs/export/download.ts';
import { findStoreJob } from '../../jobs/queries.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { storeOfPage } from './store-of-page.ts';

/** `GET /account/stores/:alias/exports/:id`: the file of an export, for the owner. 404 when it is gone. */
export async function showExportFile(c: Context<AppEnv>, context: PageContext): Promise<Response> {
  const store = storeOfPage(context);
  const id = Number(/^[1-9]\d{0,14}$/.exec(c.req.param('id') ?? '')?.[0] ?? 0);
  const job = await findStoreJob(openDatabase(c.env.DIRECTORY), {
    id,
    kind: 'store_export',
    storeId: store.id,
  });
  const file = job && exportFile(c.env.ARCHIVE, job, context.now);
  if (!file) throw notFound();
  return exportResponse(file, store.alias);
}
