import type { Context } from 'hono';
import { groupScopes } from '../access/scopes.ts';
import { openDatabase } from '../db/core/open.ts';
import { findAppNames } from '../db/directory/apps.ts';
import { listConnections } from '../db/grants/queries.ts';
import { notFound } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { disconnectApp } from '../oauth/revoke/revoke-grants.ts';
import { ConnectedAppsPage } from '../pages/account/connected-apps-page.tsx';
import { Interpolate, UntrustedName } from '../pages/components/text.tsx';
import { messagesFor } from '../pages/i18n/messages.ts';
import { ConfirmPage } from '../pages/layout/confirm-page.tsx';
import { pageDeed } from '../session/pages/page-deed.ts';
import { includesRole } from '../session/pages/page-roles.ts';
import { browserPaths } from '../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../session/pages/render-page.ts';
import { type PageContext, sealFormToken } from '../session/pages/user-pages.ts';
import { requireManagedStore } from './path-parameters.ts';
import { disconnectAppPath } from './paths.ts';

/** Loads the store and the app of the path. Throws 404 unless the user manages the store and the app exists. */
async function requireStoreAndApp(c: Context<AppEnv>, context: PageContext) {
  const { alias, clientId = '' } = c.req.param();
  const store = requireManagedStore(context, alias);
  const app = (await findAppNames(openDatabase(c.env.DIRECTORY), [clientId])).get(clientId);
  if (!app) throw notFound();
  return { store, app, clientId };
}

/** `GET /account/apps`: the apps that are connected to the user's stores. */
export async function showConnectedApps(c: Context<AppEnv>, context: PageContext) {
  const { session, now } = context;
  const connections = await listConnections(c.env, session.stores, now);
  const clientIds = [...new Set(connections.map(({ clientId }) => clientId))];
  const appIdentities = await findAppNames(openDatabase(c.env.DIRECTORY), clientIds);
  const connectionsByStore = Map.groupBy(connections, ({ storeId }) => storeId);
  const page = (
    <ConnectedAppsPage
      dashboard={buildDashboardLayoutProps(c, context, 'apps', browserPaths.connectedApps)}
      stores={session.stores.map(({ id, name, alias, zone, role }) => ({
        name,
        alias,
        zone,
        apps: (connectionsByStore.get(id) ?? []).map(
          ({ clientId, scopes, connectedAt, lastUsedAt }) => ({
            name: clientId,
            publisher: '',
            ...appIdentities.get(clientId),
            ...groupScopes(scopes),
            connectedAt,
            lastUsedAt,
            ...(includesRole(role, 'manager') && {
              disconnectHref: disconnectAppPath(alias, clientId),
            }),
          }),
        ),
      }))}
      hasDisconnectedApp={c.req.query('done') === 'disconnected'}
    />
  );
  return renderPage(c, page);
}

/** Asks for confirmation before an app is disconnected. Throws 404 when the app is not connected to the store. */
export async function showDisconnect(c: Context<AppEnv>, context: PageContext) {
  const { store, app, clientId } = await requireStoreAndApp(c, context);
  const connections = await listConnections(c.env, [store], context.now);
  if (!connections.some((connection) => connection.clientId === clientId)) throw notFound();
  const action = c.req.path;
  const dashboard = buildDashboardLayoutProps(c, context, 'apps', action);
  const t = messagesFor(dashboard.layout.language).account.apps;
  const parts = {
    app: <UntrustedName name={app.name} />,
    store: (
      <strong>
        <bdi>{store.name}</bdi> ({store.alias})
      </strong>
    ),
  };
  const page = (
    <ConfirmPage
      {...{ dashboard, action }}
      title={t.disconnect}
      question={<Interpolate text={t.confirm} parts={parts} />}
      paragraphs={[<Interpolate text={t.consequence} parts={parts} />, t.again]}
      formToken={await sealFormToken(c, context, action)}
      submit={t.disconnect}
      isDangerous
      back={browserPaths.connectedApps}
    />
  );
  return renderPage(c, page);
}

/** Disconnects an app from a store: revokes its grants and pauses its webhooks in one batch. */
export async function submitDisconnect(c: Context<AppEnv>, context: PageContext) {
  const { store, clientId } = await requireStoreAndApp(c, context);
  await disconnectApp(c.env, store, clientId, context.now, pageDeed(c, context));
  return c.redirect(`${browserPaths.connectedApps}?done=disconnected`, 303);
}
