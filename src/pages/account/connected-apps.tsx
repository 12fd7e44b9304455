import * as z from 'zod';
import { notFound } from '../../base/errors.ts';
import {
  browserPaths,
  disconnectAppPath,
  disconnectAppRoute,
  storePaths,
} from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { findAppNames, verifiedHost } from '../../data/directory/apps.ts';
import { wakeNotices } from '../../data/grants/app-notices.ts';
import { listConnections } from '../../data/grants/grant-queries.ts';
import { groupScopes } from '../../data/grants/scopes.ts';
import { deviceHost } from '../../oauth/redirect-uris.ts';
import { disconnectApp } from '../../oauth/revoke-grants.ts';
import { AppLogo, IdentityFacts, type ShownIdentity } from '../../web/components/app-identity.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { Interpolate, UntrustedName, FlashMessage } from '../../web/components/inline-text.tsx';
import type { LayoutProps } from '../../web/components/narrow-layout.tsx';
import type { DangerousScopeName, ScopeName } from '../../web/components/scope-list.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { ticked } from '../../web/forms/form-values.ts';
import { confirmation } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';

/** `GET /account/apps`: the apps that are connected to the user's stores. */
export async function showConnectedApps(page: SignedInPage) {
  const { env, session, now, directory } = page;
  const connections = await listConnections(env, session.stores, now);
  const clientIds = [...new Set(connections.map(({ clientId }) => clientId))];
  const appIdentities = await findAppNames(directory, clientIds, page.language);
  const identityOf = (clientId: string) => {
    const app = appIdentities.get(clientId);
    return app && { ...app, verified: verifiedHost(app, now) };
  };
  const connectionsByStore = Map.groupBy(connections, ({ storeId }) => storeId);
  return (
    <ConnectedAppsPage
      dashboard={page.dashboard('apps')}
      stores={session.stores.map(({ id, name, alias, zone, role }) => ({
        name,
        alias,
        zone,
        apps: (connectionsByStore.get(id) ?? []).map(
          ({ clientId, scopes, hosts, connectedAt, lastUsedAt }) => ({
            client_id: clientId,
            name: clientId,
            ...noIdentity,
            ...identityOf(clientId),
            hosts,
            ...groupScopes(scopes),
            connectedAt,
            lastUsedAt,
            activityHref: `${storePaths.activity(alias)}?${new URLSearchParams({
              actor_kind: 'app',
              actor_id: clientId,
            }).toString()}`,
            ...(includesRole(role, Role.manager) && {
              disconnectHref: disconnectAppPath(alias, clientId),
            }),
          }),
        ),
      }))}
      hasDisconnectedApp={page.query('done') === 'disconnected'}
    />
  );
}

/** The identity of an app that the directory does not know. */
const noIdentity = {
  publisher: '',
  host: null,
  site_url: null,
  support: null,
  privacy_url: null,
  logo: null,
  verified: undefined,
};

/** Loads the app of the path. Throws 404 for an unknown one. */
async function requireApp(page: SignedInPage) {
  const clientId = page.param('clientId');
  const app = (await findAppNames(page.directory, [clientId], page.language)).get(clientId);
  if (!app) throw notFound();
  return { ...app, clientId };
}

/**
 * `/account/apps/:alias/:clientId/disconnect`: revokes the grants of an app and pauses its webhooks in one batch. Those that
 * other users gave an assistant stay, unless the user says otherwise or has none.
 */
export const disconnectAppForm = confirmation({
  path: disconnectAppRoute,
  role: Role.manager,
  proof: true,
  limit: 'pages',
  part: 'apps',
  async load(page) {
    const app = await requireApp(page);
    const connections = await listConnections(page.env, [page.store], page.now);
    const users = connections.find(({ clientId }) => clientId === app.clientId)?.userIds;
    if (!users) throw notFound();
    // One client id stands for all installations of an assistant.
    const isShared = app.host !== null && users.length > 1 && users.includes(page.user.id);
    return { ...app, isShared };
  },
  fields: () => z.object({ everyone: ticked }),
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
      ...(app.isShared && {
        fields: [{ name: 'everyone', label: t.everyone, type: 'checkbox' as const }],
      }),
      submit: t.disconnect,
      back: browserPaths.connectedApps,
    };
  },
  async submit(page, { everyone }) {
    const { clientId, host } = await requireApp(page);
    const ofUser = host !== null && !everyone ? page.user.id : undefined;
    await disconnectApp(page.env, page.store, clientId, page.now, { by: page.action, ofUser });
    page.action.defer(wakeNotices(page.env, page.store.shard));
    return page.redirect(`${browserPaths.connectedApps}?done=disconnected`);
  },
});

/** An app that is connected to a store. */
interface ConnectedAppView extends ShownIdentity {
  client_id: string;
  name: string;
  logo: string | null;
  /** Where an assistant says that it comes from; null for the app of a partner. */
  host: string | null;
  /** Where it comes from for sure; null for a program of a device. */
  hosts: string | null;
  reads: readonly ScopeName[];
  writes: readonly ScopeName[];
  dangerous: readonly DangerousScopeName[];
  /** Epoch milliseconds. */
  connectedAt: number;
  lastUsedAt: number;
  /** The activity of the store that it caused. */
  activityHref: string;
  /** Absent for viewers of the store. */
  disconnectHref?: string;
}

interface ConnectedAppsPageProps {
  dashboard: DashboardProps;
  stores: readonly {
    name: string;
    alias: string;
    zone: string;
    apps: readonly ConnectedAppView[];
  }[];
  /** Whether an app has just been disconnected. */
  hasDisconnectedApp: boolean;
}

/** The connected apps of each store, with their permissions and a link to disconnect them. */
const ConnectedAppsPage = ({ dashboard, stores, hasDisconnectedApp }: ConnectedAppsPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.account.apps;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={hasDisconnectedApp ? t.disconnected : undefined} />
      {stores.length === 0 ? <p>{messages.account.start.noStores}</p> : <p>{t.lead}</p>}
      {stores.map(({ name, alias, zone, apps }) => (
        <section aria-labelledby={`store-${alias}`}>
          <h2 id={`store-${alias}`}>
            <bdi>{name}</bdi> <span class="muted">({alias})</span>
          </h2>
          {apps.length === 0 && <p class="measure">{t.none}</p>}
          {apps.map((app) => (
            <AppCard app={app} zone={zone} layout={dashboard.layout} />
          ))}
        </section>
      ))}
      {stores.some(({ apps }) => apps.length > 0) && <p class="muted">{t.usedHint}</p>}
    </DashboardLayout>
  );
};

/** Where an assistant comes from: what consent said. */
const Origin = ({
  host,
  hosts,
  t,
}: {
  host: string;
  hosts: string | null;
  t: Messages['account']['apps'];
}) => {
  if (hosts === null && host === deviceHost) return t.onDevice;
  return hosts === null ? (
    <Interpolate text={t.claimsHost} parts={{ host: <span class="host">{host}</span> }} />
  ) : (
    <Interpolate
      text={t.assistant}
      parts={{ host: <strong class="host">{hosts.replaceAll(',', ', ')}</strong> }}
    />
  );
};

const AppCard = ({
  app,
  zone,
  layout,
}: {
  app: ConnectedAppView;
  zone: string;
  layout: LayoutProps;
}) => {
  const { language } = layout;
  const { scopes, account } = messagesFor(language);
  const t = account.apps;
  const name = <UntrustedName name={app.name} />;
  const otherScopes = [...app.reads, ...app.writes];
  return (
    <article class="card">
      <div class="named">
        {app.host === null && <AppLogo app={app} language={language} />}
        <h3>{name}</h3>
      </div>
      {app.host !== null && (
        <p class="muted">
          <Origin host={app.host} hosts={app.hosts} t={t} />
        </p>
      )}
      <dl class="facts">
        {app.host === null && <IdentityFacts app={app} language={language} />}
        <dt>{t.connected}</dt>
        <dd>
          <FormattedTime {...{ language, zone }} at={app.connectedAt} />
        </dd>
        <dt>{t.used}</dt>
        <dd>
          <FormattedTime {...{ language, zone }} at={app.lastUsedAt} />
        </dd>
      </dl>
      <p>
        <a class="target" href={app.activityHref}>
          {t.activity}
        </a>
      </p>
      <details>
        <summary>
          {t.may.replace('{count}', String(otherScopes.length + app.dangerous.length))}
        </summary>
        <ul class="scopes">
          {app.dangerous.map((scope) => (
            <li>
              <strong>{scopes.meanings[scope]}</strong> {scopes.consequences[scope]}
            </li>
          ))}
          {otherScopes.map((scope) => (
            <li>{scopes.meanings[scope]}</li>
          ))}
        </ul>
      </details>
      {app.disconnectHref !== undefined && (
        <p class="actions">
          <a class="button danger" href={app.disconnectHref}>
            <span aria-hidden="true">{t.disconnect}</span>
            <span class="visually-hidden">
              <Interpolate text={t.disconnectApp} parts={{ app: name }} />
            </span>
          </a>
        </p>
      )}
    </article>
  );
};
