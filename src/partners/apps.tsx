import type { Context } from 'hono';
import { groupScopes } from '../access/scopes.ts';
import { defaultZone } from '../codecs/time/zone.ts';
import { openDatabase } from '../db/core/open.ts';
import { listOwnApps } from '../db/directory/apps.ts';
import type { AppEnv } from '../http/app-env.ts';
import { countInstalls, listAppEvents } from '../oauth/apps/installs.ts';
import { resolveIssuer } from '../oauth/metadata.ts';
import { AppPage, appFlashes } from '../pages/partners/app-page.tsx';
import { PartnerAppsPage } from '../pages/partners/apps-page.tsx';
import { browserPaths } from '../session/pages/paths.ts';
import { renderPage } from '../session/pages/render-page.ts';
import type { PageContext } from '../session/pages/user-pages.ts';
import { settingsOf } from '../settings.ts';
import { buildPartnerLayoutProps, guidePath } from './dashboard.ts';
import { requireOwnApp } from './own-app.ts';
import { appPaths } from './paths.ts';
import { transitionsOf } from './transitions.tsx';

/** `GET /partners`: the user's apps. */
export async function showApps(c: Context<AppEnv>, context: PageContext) {
  const { session, now } = context;
  const apps = await listOwnApps(openDatabase(c.env.DIRECTORY), session.user.id);
  const clientIds = apps.map(({ client_id }) => client_id);
  const installCounts = await countInstalls(c.env, clientIds, now);
  const page = (
    <PartnerAppsPage
      dashboard={buildPartnerLayoutProps(c, context, 'apps', browserPaths.partners)}
      apps={apps.map(({ name, client_id, state }) => ({
        name,
        clientId: client_id,
        state,
        installs: installCounts.get(client_id) ?? 0,
        href: appPaths.app(client_id),
      }))}
      registerHref={appPaths.register}
    />
  );
  return renderPage(c, page);
}

/** `GET /partners/{client id}`: an app, its possible transitions, and the events of its connections. */
export async function showApp(c: Context<AppEnv>, context: PageContext) {
  const app = await requireOwnApp(c, context);
  const { client_id: clientId } = app;
  const [installCounts, events] = await Promise.all([
    countInstalls(c.env, [clientId], context.now),
    listAppEvents(c.env, clientId),
  ]);
  const done = c.req.query('done');
  const dashboard = buildPartnerLayoutProps(c, context, 'apps', appPaths.app(clientId));
  const issuer = resolveIssuer(settingsOf(c.env), c.req.url);
  const page = (
    <AppPage
      dashboard={dashboard}
      app={{
        name: app.name,
        publisher: app.publisher,
        clientId,
        state: app.state,
        redirectUris: app.redirect_uris,
        registeredAt: app.created_at,
        installs: installCounts.get(clientId) ?? 0,
        ...groupScopes(app.scopes),
      }}
      events={events}
      zone={defaultZone}
      partner={app.owner_id === context.session.user.id ? undefined : app.partner}
      operatorsReason={app.disabled_reason ?? undefined}
      redeemCall={`curl '${issuer}/oauth/token' -d grant_type=authorization_code -d client_id=${clientId} -d code=CODE -d code_verifier=VERIFIER -d redirect_uri=${encodeURIComponent(app.redirect_uris[0] ?? '')}`}
      editHref={appPaths.edit(clientId)}
      trialHref={appPaths.trial(clientId)}
      installsHref={appPaths.installs(clientId)}
      webhookHref={appPaths.webhook(clientId)}
      refusalsHref={appPaths.refusals(clientId)}
      guides={{
        oauth: guidePath(dashboard, 'oauth'),
        webhooks: guidePath(dashboard, 'webhooks'),
        testStores: guidePath(dashboard, 'test-stores'),
      }}
      transitions={transitionsOf(app).map((transition) => ({
        transition,
        href: appPaths.transition(clientId, transition),
      }))}
      flash={appFlashes.find((news) => news === done)}
    />
  );
  return renderPage(c, page);
}
