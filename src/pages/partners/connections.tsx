import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { listRefusals } from '../../data/directory/app-refusals.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { installsPerPage } from '../../data/grants/installs.ts';
import { listAppInstalls } from '../../oauth/installed-apps.ts';
import type { SignedInPage } from '../../web/page.ts';
import { appPaths, guidePath } from '../../web/paths.ts';
import { InstallsPage, RefusalsPage } from './connections-pages.tsx';
import { requireOwnApp } from './partner-apps.tsx';

/** `GET /partners/{client id}/stores`: the stores of an app, 25 a page, after the id of the query `after`. */
export async function showInstalls(page: SignedInPage) {
  const app = await requireOwnApp(page);
  const { client_id: clientId } = app;
  const { env, directory, path, now } = page;
  const after = Number(/^\d{1,15}$/.exec(page.query('after') ?? '')?.[0] ?? 0);
  const found = await listAppInstalls(env, { clientId, after, now });
  const installs = found.slice(0, installsPerPage);
  const ids = installs.map(({ storeId }) => storeId);
  const known = ids.length === 0 ? [] : await findStoresById(directory, ids);
  const stores = new Map(known.map((store) => [store.id, store]));
  const last = installs.at(-1);
  return (
    <InstallsPage
      dashboard={page.dashboard('partners/apps')}
      appName={app.name}
      installs={installs.map(({ storeId, ...install }) => ({
        ...install,
        alias: stores.get(storeId)?.alias ?? null,
        isStoreActive: stores.get(storeId)?.active ?? false,
      }))}
      zone={defaultZone}
      back={appPaths.app(clientId)}
      firstHref={after > 0 ? path : undefined}
      nextHref={
        found.length > installsPerPage && last ? `${path}?after=${last.storeId}` : undefined
      }
    />
  );
}

/** `GET /partners/{client id}/requests`: the latest refused requests of an app. */
export async function showRefusals(page: SignedInPage) {
  const app = await requireOwnApp(page);
  const { client_id: clientId } = app;
  const refusals = await listRefusals(page.directory, clientId, page.now);
  return (
    <RefusalsPage
      dashboard={page.dashboard('partners/apps')}
      appName={app.name}
      refusals={refusals.map(({ request_id: requestId, ...refusal }) => ({
        ...refusal,
        requestId,
        codeHref: `${guidePath(page.language, 'errors')}#${refusal.code}`,
      }))}
      zone={defaultZone}
      back={appPaths.app(clientId)}
    />
  );
}
