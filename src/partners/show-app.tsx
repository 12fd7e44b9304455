import type { Context } from 'hono';
import { eventsOfApp } from '../db/grants/app-events.ts';
import { countInstalls } from '../db/grants/installs.ts';
import type { Faces } from '../http/faces.ts';
import { consentScopes } from '../oauth/consent-scopes.ts';
import { AppPage, appNews } from '../pages/app-page.tsx';
import { panelOf } from '../session/panel-of.ts';
import { showPage } from '../session/show-page.ts';
import type { Here } from '../session/signed-in.ts';
import { defaultZone } from '../wire/zone.ts';
import { appPaths } from './app-paths.ts';
import { movesFrom } from './moves-from.ts';
import { ownApp } from './own-app.ts';

/** `GET /partners/{client id}`: an app, what may be done with it, and what happened to its connections. */
export async function showApp(c: Context<Faces>, here: Here) {
  const app = await ownApp(c, here);
  const { client_id: clientId } = app;
  const [installs, events] = await Promise.all([
    countInstalls(c.env, [clientId], here.now),
    eventsOfApp(c.env, clientId),
  ]);
  const done = c.req.query('done');
  const page = (
    <AppPage
      panel={panelOf(c, 'partners', appPaths.app(clientId))}
      app={{
        name: app.name,
        publisher: app.publisher,
        clientId,
        state: app.state,
        redirectUris: app.redirect_uris,
        registeredAt: app.created_at,
        installs: installs.get(clientId) ?? 0,
        ...consentScopes(app.scopes),
      }}
      events={events}
      zone={defaultZone}
      editHref={appPaths.edit(clientId)}
      moves={movesFrom[app.state].map((move) => ({ move, href: appPaths.move(clientId, move) }))}
      news={appNews.find((news) => news === done)}
    />
  );
  return showPage(c, page);
}
