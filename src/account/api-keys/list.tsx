import type { Context } from 'hono';
import { defaultZone } from '../../codecs/time/zone.ts';
import { openDatabase } from '../../db/core/open.ts';
import { listApiKeys } from '../../db/directory/api-keys.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { ApiKeysPage } from '../../pages/account/api-keys-page.tsx';
import { browserPaths } from '../../session/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/render-page.ts';
import type { PageContext } from '../../session/user-pages.ts';
import { apiKeyPaths } from '../paths.ts';

/** `GET /account/keys`: the user's API keys. */
export async function showApiKeys(c: Context<AppEnv>, { session }: PageContext) {
  const apiKeys = await listApiKeys(openDatabase(c.env.DIRECTORY), session.user.id);
  const page = (
    <ApiKeysPage
      dashboard={buildDashboardLayoutProps(c, 'keys', browserPaths.keys)}
      apiKeys={apiKeys.map(({ id, ...apiKey }) => ({
        ...apiKey,
        revokeHref: apiKeyPaths.revoke(String(id)),
      }))}
      zone={defaultZone}
      newHref={apiKeyPaths.create}
      hasRevokedKey={c.req.query('done') === 'revoked'}
    />
  );
  return renderPage(c, page);
}
