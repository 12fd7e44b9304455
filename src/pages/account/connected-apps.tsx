import * as z from 'zod';
import { notFound } from '../../base/errors.ts';
import {
  browserPaths,
  disconnectAppPath,
  disconnectAppRoute,
  storePaths,
} from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { findAppNames, verifiedHost, type AppIdentity } from '../../data/directory/apps.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import { wakeNotices } from '../../data/grants/app-notices.ts';
import { listConnections, type AppConnection } from '../../data/grants/grant-queries.ts';
import { groupScopes } from '../../data/grants/scopes.ts';
import { deviceHost } from '../../oauth/redirect-uris.ts';
import { disconnectApp } from '../../oauth/revoke-grants.ts';
import { AppLogo, IdentityFacts } from '../../web/components/app-identity.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { Interpolate, UntrustedName, FlashMessage } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { ticked } from '../../web/forms/form-values.ts';
import { confirmation } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';

/** `GET /account/apps`: the apps that are connected to the user's stores. */
export async function showConnectedApps(page: SignedInPage) {
  const { env, session, now, directory, messages } = page;
  const connections = await listConnections(env, session.stores, now);
  const clientIds = [...new Set(connections.map(({ clientId }) => clientId))];
  const apps = await findAppNames(directory, clientIds, page.language);
  const connectionsByStore = Map.groupBy(connections, ({ storeId }) => storeId);
  const t = messages.account.apps;
  return (
    <DashboardLayout {...page.dashboard('apps')} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={page.query('done') === 'disconnected' ? t.disconnected : undefined} />
      {session.stores.length === 0 ? <p>{messages.account.start.noStores}</p> : <p>{t.lead}</p>}
      {session.stores.map((store) => {
        const connected = connectionsByStore.get(store.id) ?? [];
        return (
          <section aria-labelledby={`store-${store.alias}`}>
            <h2 id={`store-${store.alias}`}>
              <bdi>{store.name}</bdi> <span class="muted">({store.alias})</span>
            </h2>
            {connected.length === 0 && <p class="measure">{t.none}</p>}
            {connected.map((connection) => (
              <AppCard {...{ page, store, connection }} app={apps.get(connection.clientId)} />
            ))}
          </section>
        );
      })}
      {connections.length > 0 && <p class="muted">{t.usedHint}</p>}
    </DashboardLayout>
  );
}

/** Loads the app of the path. Throws 404 for an unknown one. */
async function requireApp(page: SignedInPage) {
  const clientId = page.param('clientId');
  const app = (await findAppNames(page.directory, [clientId], page.language)).get(clientId);
  if (!app) throw notFound();
  return { ...app, clientId };
}

/**
 * `/account/apps/:alias/:clientId/disconnect`: revokes the grants of an app and pauses its webhooks
 * in one batch. Those that other users gave an assistant stay, unless the user says otherwise or
 * has none.
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

/** The identity of an app that the directory does not know. */
const noIdentity = {
  name: '',
  publisher: '',
  host: null,
  site_url: null,
  support: null,
  privacy_url: null,
  logo: null,
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
  page: { language, now, messages },
  store,
  connection,
  app: known,
}: {
  page: SignedInPage;
  store: ManagedStore;
  connection: AppConnection;
  /** Absent for an app that the directory does not know. */
  app: AppIdentity | undefined;
}) => {
  const { scopes, account } = messages;
  const t = account.apps;
  const { zone, alias } = store;
  const { clientId, hosts, connectedAt, lastUsedAt } = connection;
  const app = {
    ...(known ?? noIdentity),
    client_id: clientId,
    verified: known && verifiedHost(known, now),
  };
  const name = <UntrustedName name={known?.name ?? clientId} />;
  const { reads, writes, dangerous } = groupScopes(connection.scopes);
  const otherScopes = [...reads, ...writes];
  const activity = new URLSearchParams({ actor_kind: 'app', actor_id: clientId }).toString();
  return (
    <article class="card">
      <div class="named">
        {app.host === null && <AppLogo {...{ app, language }} />}
        <h3>{name}</h3>
      </div>
      {app.host !== null && (
        <p class="muted">
          <Origin host={app.host} {...{ hosts, t }} />
        </p>
      )}
      <dl class="facts">
        {app.host === null && <IdentityFacts {...{ app, language }} />}
        <dt>{t.connected}</dt>
        <dd>
          <FormattedTime {...{ language, zone }} at={connectedAt} />
        </dd>
        <dt>{t.used}</dt>
        <dd>
          <FormattedTime {...{ language, zone }} at={lastUsedAt} />
        </dd>
      </dl>
      <p>
        <a class="target" href={`${storePaths.activity(alias)}?${activity}`}>
          {t.activity}
        </a>
      </p>
      <details>
        <summary>{t.may.replace('{count}', String(otherScopes.length + dangerous.length))}</summary>
        <ul class="scopes">
          {dangerous.map((scope) => (
            <li>
              <strong>{scopes.meanings[scope]}</strong> {scopes.consequences[scope]}
            </li>
          ))}
          {otherScopes.map((scope) => (
            <li>{scopes.meanings[scope]}</li>
          ))}
        </ul>
      </details>
      {includesRole(store.role, Role.manager) && (
        <p class="actions">
          <a class="button danger" href={disconnectAppPath(alias, clientId)}>
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
