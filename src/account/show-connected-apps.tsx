import type { Context } from 'hono';
import { appNames } from '../db/app-names.ts';
import { connectionsOf } from '../db/grants/connections.ts';
import { openShard } from '../db/open.ts';
import type { Faces } from '../http/faces.ts';
import { consentScopes } from '../oauth/consent-scopes.ts';
import { ConnectedAppsPage } from '../pages/connected-apps-page.tsx';
import { panelOf } from '../session/panel-of.ts';
import { paths } from '../session/paths.ts';
import { showPage } from '../session/show-page.ts';
import type { Here } from '../session/signed-in.ts';

/** Where a store is parted from an app. */
export const disconnectPath = (alias: string, clientId: string) =>
  `${paths.connectedApps}/${alias}/${clientId}/disconnect`;

/** `GET /account/apps`: what may use the stores of whoever is signed in. */
export async function showConnectedApps(c: Context<Faces>, { person, now }: Here) {
  const connections = await connectionsOf(c.env, person.stores, now);
  const clientIds = [...new Set(connections.map(({ clientId }) => clientId))];
  const names = await appNames(openShard(c.env.DIRECTORY), clientIds);
  const byStore = Map.groupBy(connections, ({ storeId }) => storeId);
  const page = (
    <ConnectedAppsPage
      panel={panelOf(c, 'apps', paths.connectedApps)}
      stores={person.stores.map(({ id, name, alias, zone }) => ({
        name,
        alias,
        zone,
        apps: (byStore.get(id) ?? []).map(({ clientId, scopes, connectedAt, usedAt }) => ({
          name: clientId,
          publisher: '',
          ...names.get(clientId),
          ...consentScopes(scopes),
          connectedAt,
          usedAt,
          disconnectHref: disconnectPath(alias, clientId),
        })),
      }))}
      isDisconnected={c.req.query('done') === 'disconnected'}
    />
  );
  return showPage(c, page);
}
