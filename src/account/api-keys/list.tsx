import type { Context } from 'hono';
import { scopeAreas, scopesFromBits, type ScopeArea } from '../../access/scopes.ts';
import { defaultZone } from '../../codecs/time/zone.ts';
import { openDatabase } from '../../db/core/open.ts';
import { listApiKeys } from '../../db/directory/api-keys.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { ApiKeysPage } from '../../pages/account/api-keys-page.tsx';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { apiKeyPaths } from '../paths.ts';

/** `GET /account/keys`: the user's API keys. */
export async function showApiKeys(c: Context<AppEnv>, context: PageContext) {
  const { session, now } = context;
  const apiKeys = await listApiKeys(openDatabase(c.env.DIRECTORY), session.user.id);
  const page = (
    <ApiKeysPage
      dashboard={buildDashboardLayoutProps(c, context, 'keys', browserPaths.keys)}
      apiKeys={apiKeys.map(({ id, scopes, storeIds, expiresAt, ...apiKey }) => ({
        ...apiKey,
        stores: storeIds && storeNames(storeIds, session),
        areas: scopes === null ? null : areasOf(scopes),
        expiresAt,
        isExpired: expiresAt !== null && expiresAt <= now,
        revokeHref: apiKeyPaths.revoke(String(id)),
      }))}
      zone={defaultZone}
      newHref={apiKeyPaths.create}
      hasRevokedKey={c.req.query('done') === 'revoked'}
    />
  );
  return renderPage(c, page);
}

/** The names of the stores of a key; null for one that the user has left. */
function storeNames(
  storeIds: readonly number[],
  { stores, inactiveStores }: PageContext['session'],
) {
  const names = new Map([...stores, ...inactiveStores].map(({ id, name }) => [id, name]));
  return storeIds.map((id) => names.get(id) ?? null);
}

/** What a key may do, by area. */
function areasOf(bits: number): { area: ScopeArea; power: 'read' | 'write' }[] {
  const granted = scopesFromBits(bits);
  return scopeAreas.flatMap((area) => {
    const power = (['write', 'read'] as const).find((one) => granted.has(`${area}.${one}`));
    return power ? [{ area, power }] : [];
  });
}
