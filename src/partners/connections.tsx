import type { Context } from 'hono';
import { defaultZone } from '../codecs/time/zone.ts';
import { openDatabase } from '../db/core/open.ts';
import { listRefusals } from '../db/directory/app-refusals.ts';
import { findStoresById } from '../db/directory/stores.ts';
import { installsPerPage } from '../db/grants/installs.ts';
import type { AppEnv } from '../http/app-env.ts';
import { listAppInstalls } from '../oauth/apps/installs.ts';
import { InstallsPage, RefusalsPage } from '../pages/partners/connections-pages.tsx';
import { renderPage } from '../session/pages/render-page.ts';
import type { PageContext } from '../session/pages/user-pages.ts';
import { buildPartnerLayoutProps, guidePath } from './dashboard.ts';
import { requireOwnApp } from './own-app.ts';
import { appPaths } from './paths.ts';

/** `GET /partners/{client id}/stores`: the stores of an app, 25 a page, after the id of the query `after`. */
export async function showInstalls(c: Context<AppEnv>, context: PageContext) {
  const app = await requireOwnApp(c, context);
  const { client_id: clientId } = app;
  const { now } = context;
  const after = Number(/^\d{1,15}$/.exec(c.req.query('after') ?? '')?.[0] ?? 0);
  const found = await listAppInstalls(c.env, { clientId, after, now });
  const installs = found.slice(0, installsPerPage);
  const ids = installs.map(({ storeId }) => storeId);
  const known = ids.length === 0 ? [] : await findStoresById(openDatabase(c.env.DIRECTORY), ids);
  const stores = new Map(known.map((store) => [store.id, store]));
  const path = appPaths.installs(clientId);
  const last = installs.at(-1);
  const page = (
    <InstallsPage
      dashboard={buildPartnerLayoutProps(c, context, 'apps', path)}
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
  return renderPage(c, page);
}

/** `GET /partners/{client id}/requests`: the latest refused requests of an app. */
export async function showRefusals(c: Context<AppEnv>, context: PageContext) {
  const app = await requireOwnApp(c, context);
  const { client_id: clientId } = app;
  const refusals = await listRefusals(openDatabase(c.env.DIRECTORY), clientId, context.now);
  const dashboard = buildPartnerLayoutProps(c, context, 'apps', appPaths.refusals(clientId));
  const page = (
    <RefusalsPage
      dashboard={dashboard}
      appName={app.name}
      refusals={refusals.map(({ request_id: requestId, ...refusal }) => ({
        ...refusal,
        requestId,
        codeHref: `${guidePath(dashboard, 'errors')}#${refusal.code}`,
      }))}
      zone={defaultZone}
      back={appPaths.app(clientId)}
    />
  );
  return renderPage(c, page);
}
