import { revokeApiKey } from '../../accounts/users/api-keys.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { findOwnApiKey, listApiKeys } from '../../data/directory/api-keys.ts';
import { scopeAreas, scopesFromBits, type ScopeArea } from '../../data/grants/scopes.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { confirmation } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { apiKeyPaths, browserPaths } from '../../web/paths.ts';
import { ApiKeysPage } from './api-keys-page.tsx';

/** `GET /account/keys`: the user's API keys. */
export async function showApiKeys(page: SignedInPage) {
  const { session, now, directory, user } = page;
  const apiKeys = await listApiKeys(directory, user.id);
  return (
    <ApiKeysPage
      dashboard={page.dashboard('keys')}
      apiKeys={apiKeys.map(({ id, scopes, storeIds, expiresAt, ...apiKey }) => ({
        ...apiKey,
        stores: storeIds && storeNames(storeIds, session),
        areas: scopes === null ? null : areasOf(scopes),
        expiresAt,
        isExpired: expiresAt !== null && expiresAt <= now,
        revokeHref: apiKeyPaths.revoke(id),
      }))}
      zone={defaultZone}
      newHref={apiKeyPaths.create}
      hasRevokedKey={page.query('done') === 'revoked'}
    />
  );
}

/** The names of the stores of a key; null for one that the user has left. */
function storeNames(
  storeIds: readonly number[],
  { stores, inactiveStores }: SignedInPage['session'],
) {
  const names = new Map([...stores, ...inactiveStores].map(({ id, name }) => [id, name]));
  return storeIds.map((id) => names.get(id) ?? null);
}

/** The powers of a key, by area. */
function areasOf(bits: number): { area: ScopeArea; power: 'read' | 'write' }[] {
  const granted = scopesFromBits(bits);
  return scopeAreas.flatMap((area) => {
    const power = (['write', 'read'] as const).find((one) => granted.has(`${area}.${one}`));
    return power ? [{ area, power }] : [];
  });
}

/** `/account/keys/:id/revoke`: asks before a live key of the user is revoked. Throws 404 for any other. */
export const apiKeyRevocationForm = confirmation({
  path: apiKeyPaths.revoke(':id'),
  role: 'user',
  limit: 'pages',
  part: 'keys',
  async load(page) {
    const apiKey = await findOwnApiKey(page.directory, page.user.id, page.id('id'));
    if (!apiKey) throw notFound();
    return apiKey;
  },
  ask({ messages }, { name, lastFour }) {
    const t = messages.account.keys;
    return {
      question: <Interpolate text={t.confirm} parts={{ name: <bdi>{name}</bdi> }} />,
      paragraphs: [`${t.secretEndsIn}: ${lastFour}`, t.consequence],
      submit: t.revoke,
      back: browserPaths.keys,
    };
  },
  async submit(page) {
    await revokeApiKey(page.action, { userId: page.user.id, id: page.id('id') });
    return page.redirect(`${browserPaths.keys}?done=revoked`);
  },
});
