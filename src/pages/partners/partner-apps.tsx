import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { findOwnApp, listOwnApps, type App, type OwnApp } from '../../data/directory/apps.ts';
import { groupScopes } from '../../data/grants/scopes.ts';
import { countInstalls, listAppEvents } from '../../oauth/installed-apps.ts';
import { resolveIssuer } from '../../oauth/metadata.ts';
import type { SignedInPage } from '../../web/page.ts';
import { appPaths, guidePath, type AppTransition } from '../../web/paths.ts';
import { AppPage, appFlashes } from './app-page.tsx';
import { PartnerAppsPage } from './apps-page.tsx';

/** Forms about apps. */
export const ofApps = { role: 'partner', limit: 'pages', part: 'partners/apps' } as const;

/** Loads the app of the path. Throws 404 unless it belongs to the user, or to a partner whose team the user is in. */
export async function requireOwnApp(page: SignedInPage): Promise<OwnApp> {
  const app = await findOwnApp(page.directory, page.user.id, page.param('clientId'));
  if (!app) throw notFound();
  return app;
}

/** The transitions that each state allows. */
const allowedTransitions: Record<App['state'], readonly AppTransition[]> = {
  draft: ['publish', 'disable'],
  published: ['withdraw', 'disable'],
  disabled: ['withdraw'],
};

/** The transitions that an app has now: none while the operator keeps it disabled. */
export const transitionsOf = (app: App) =>
  app.disabled_reason === null ? allowedTransitions[app.state] : [];

/** `GET /partners`: the user's apps. */
export async function showApps(page: SignedInPage) {
  const { env, user, now, directory } = page;
  const apps = await listOwnApps(directory, user.id);
  const clientIds = apps.map(({ client_id }) => client_id);
  const installCounts = await countInstalls(env, clientIds, now);
  return (
    <PartnerAppsPage
      dashboard={page.dashboard('partners/apps')}
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
}

/** `GET /partners/{client id}`: an app, its possible transitions, and the events of its connections. */
export async function showApp(page: SignedInPage) {
  const { env, settings, user, now, language } = page;
  const app = await requireOwnApp(page);
  const { client_id: clientId } = app;
  const [installCounts, events] = await Promise.all([
    countInstalls(env, [clientId], now),
    listAppEvents(env, clientId),
  ]);
  const issuer = resolveIssuer(settings, page.c.req.url);
  return (
    <AppPage
      dashboard={page.dashboard('partners/apps')}
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
      partner={app.owner_id === user.id ? undefined : app.partner}
      operatorsReason={app.disabled_reason ?? undefined}
      redeemCall={`curl '${issuer}/oauth/token' -d grant_type=authorization_code -d client_id=${clientId} -d code=CODE -d code_verifier=VERIFIER -d redirect_uri=${encodeURIComponent(app.redirect_uris[0] ?? '')}`}
      editHref={appPaths.edit(clientId)}
      trialHref={appPaths.trial(clientId)}
      installsHref={appPaths.installs(clientId)}
      webhookHref={appPaths.webhook(clientId)}
      refusalsHref={appPaths.refusals(clientId)}
      guides={{
        oauth: guidePath(language, 'oauth'),
        webhooks: guidePath(language, 'webhooks'),
        testStores: guidePath(language, 'test-stores'),
      }}
      transitions={transitionsOf(app).map((transition) => ({
        transition,
        href: appPaths.transition(clientId, transition),
      }))}
      flash={page.done(appFlashes)}
    />
  );
}
