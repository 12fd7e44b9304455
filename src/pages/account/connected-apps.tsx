import { notFound } from '../../base/errors.ts';
import { findAppNames } from '../../data/directory/apps.ts';
import { listConnections } from '../../data/grants/grant-queries.ts';
import { groupScopes } from '../../data/grants/scopes.ts';
import { disconnectApp } from '../../oauth/revoke-grants.ts';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { confirmation } from '../../web/forms/form.tsx';
import { includesRole } from '../../web/page-roles.ts';
import type { SignedInPage } from '../../web/page.ts';
import { browserPaths, disconnectAppPath, storePaths } from '../../web/paths.ts';
import { ConnectedAppsPage } from './connected-apps-page.tsx';

/** `GET /account/apps`: the apps that are connected to the user's stores. */
export async function showConnectedApps(page: SignedInPage) {
  const { env, session, now, directory } = page;
  const connections = await listConnections(env, session.stores, now);
  const clientIds = [...new Set(connections.map(({ clientId }) => clientId))];
  const appIdentities = await findAppNames(directory, clientIds);
  const connectionsByStore = Map.groupBy(connections, ({ storeId }) => storeId);
  return (
    <ConnectedAppsPage
      dashboard={page.dashboard('apps')}
      stores={session.stores.map(({ id, name, alias, zone, role }) => ({
        name,
        alias,
        zone,
        apps: (connectionsByStore.get(id) ?? []).map(
          ({ clientId, scopes, connectedAt, lastUsedAt }) => ({
            name: clientId,
            publisher: '',
            host: null,
            ...appIdentities.get(clientId),
            ...groupScopes(scopes),
            connectedAt,
            lastUsedAt,
            activityHref: `${storePaths.activity(alias)}?${new URLSearchParams({
              actor_kind: 'app',
              actor_id: clientId,
            }).toString()}`,
            ...(includesRole(role, 'manager') && {
              disconnectHref: disconnectAppPath(alias, clientId),
            }),
          }),
        ),
      }))}
      hasDisconnectedApp={page.query('done') === 'disconnected'}
    />
  );
}

/** Loads the app of the path. Throws 404 for an unknown one. */
async function requireApp(page: SignedInPage) {
  const clientId = page.param('clientId');
  const app = (await findAppNames(page.directory, [clientId])).get(clientId);
  if (!app) throw notFound();
  return { ...app, clientId };
}

/** `/account/apps/:alias/:clientId/disconnect`: revokes the grants of an app and pauses its webhooks in one batch. */
export const disconnectAppForm = confirmation({
  path: disconnectAppPath(':alias', ':clientId'),
  role: 'manager',
  limit: 'pages',
  part: 'apps',
  async load(page) {
    const app = await requireApp(page);
    const connections = await listConnections(page.env, [page.store], page.now);
    if (!connections.some(({ clientId }) => clientId === app.clientId)) throw notFound();
    return app;
  },
  ask({ messages, store }, app) {
    const t = messages.account.apps;
    const parts = {
      app: <UntrustedName name={app.name} />,
      store: (
        <strong>
          <bdi>{store.name}</bdi> ({store.alias})
        </strong>
      ),
    };
    return {
      question: <Interpolate text={t.confirm} parts={parts} />,
      paragraphs: [<Interpolate text={t.consequence} parts={parts} />, t.again],
      submit: t.disconnect,
      back: browserPaths.connectedApps,
    };
  },
  async submit(page) {
    const { clientId } = await requireApp(page);
    await disconnectApp(page.env, page.store, clientId, page.now, page.action);
    return page.redirect(`${browserPaths.connectedApps}?done=disconnected`);
  },
});
