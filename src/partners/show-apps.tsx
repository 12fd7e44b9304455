import type { Context } from 'hono';
import { countInstalls } from '../db/grants/installs.ts';
import { openShard } from '../db/open.ts';
import { listOwnApps } from '../db/partner-apps.ts';
import type { Faces } from '../http/faces.ts';
import { PartnerAppsPage } from '../pages/partner-apps-page.tsx';
import { panelOf } from '../session/panel-of.ts';
import { paths } from '../session/paths.ts';
import { showPage } from '../session/show-page.ts';
import type { Here } from '../session/signed-in.ts';
import { appPaths } from './app-paths.ts';

/** `GET /partners`: the apps of whoever is signed in. */
export async function showApps(c: Context<Faces>, { person, now }: Here) {
  const apps = await listOwnApps(openShard(c.env.DIRECTORY), person.user.id);
  const clientIds = apps.map(({ client_id }) => client_id);
  const installs = await countInstalls(c.env, clientIds, now);
  const page = (
    <PartnerAppsPage
      panel={panelOf(c, 'partners', paths.partners)}
      apps={apps.map(({ name, client_id, state }) => ({
        name,
        clientId: client_id,
        state,
        installs: installs.get(client_id) ?? 0,
        href: appPaths.app(client_id),
      }))}
      registerHref={appPaths.register}
    />
  );
  return showPage(c, page);
}
