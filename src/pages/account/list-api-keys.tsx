import { revokeApiKey } from '../../accounts/users/manage-api-keys.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import { apiKeyPaths, browserPaths } from '../../base/page-paths.ts';
import { findOwnApiKey, listApiKeys } from '../../data/directory/api-keys.ts';
import { scopeAreas, scopesFromBits, type ScopeArea } from '../../data/grants/scopes.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { Interpolate, FlashMessage } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedDate, RelativeTime } from '../../web/components/time.tsx';
import { confirmation } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';

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
        requestsHref: apiKeyPaths.requests(id),
        revokeHref: apiKeyPaths.revoke(id),
      }))}
      zone={defaultZone}
      now={now}
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
  proof: true,
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

interface ApiKeyListItem {
  name: string;
  lastFour: string;
  /** Epoch milliseconds. */
  createdAt: number;
  lastUsedAt: number | null;
  /** Null for all stores; of a store that the user has left, null. */
  stores: readonly (string | null)[] | null;
  /** Null for everything that the user may do. */
  areas: readonly { area: keyof Messages['scopes']['areas']; power: 'read' | 'write' }[] | null;
  isForOperator: boolean;
  expiresAt: number | null;
  isExpired: boolean;
  requestsHref: string;
  revokeHref: string;
}

interface ApiKeysPageProps {
  dashboard: DashboardProps;
  apiKeys: readonly ApiKeyListItem[];
  zone: string;
  now: number;
  newHref: string;
  /** Whether a key has just been revoked. */
  hasRevokedKey: boolean;
}

/** The API keys of the user. */
const ApiKeysPage = ({
  dashboard,
  apiKeys,
  zone,
  now,
  newHref,
  hasRevokedKey,
}: ApiKeysPageProps) => {
  const t = messagesFor(dashboard.layout.language).account.keys;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={hasRevokedKey ? t.revoked : undefined} />
      <p>{t.lead}</p>
      <p>
        <a class="button" href={newHref}>
          {t.create}
        </a>
      </p>
      {apiKeys.length === 0 ? (
        <p>{t.none}</p>
      ) : (
        <>
          <DataTable
            caption={t.caption}
            rows={apiKeys}
            columns={keyColumns(dashboard.layout.language, zone, now)}
          />
          <p class="muted">{t.usedHint}</p>
        </>
      )}
    </DashboardLayout>
  );
};

function keyColumns(language: Language, zone: string, now: number) {
  const messages = messagesFor(language);
  const { keys: t } = messages.account;
  const { requests } = messages.partnerTools;
  // Three times to the minute beside each other leave no room for the links.
  const date = (at: number) => <FormattedDate {...{ language, zone, at }} dateStyle="medium" />;
  return [
    { label: t.name, cell: ({ name }: ApiKeyListItem) => <bdi>{name}</bdi> },
    { label: t.secretEndsIn, cell: ({ lastFour }: ApiKeyListItem) => <code>{lastFour}</code> },
    {
      label: messages.apiKeys.limits,
      cell: (apiKey: ApiKeyListItem) => <KeyLimits {...{ apiKey, messages }} />,
    },
    { label: t.created, cell: ({ createdAt }: ApiKeyListItem) => date(createdAt) },
    {
      label: t.used,
      cell: ({ lastUsedAt: at }: ApiKeyListItem) =>
        at === null ? t.never : <RelativeTime {...{ language, zone, at, now }} toDay />,
    },
    {
      label: messages.apiKeys.ends,
      cell: ({ expiresAt, isExpired }: ApiKeyListItem) => {
        if (isExpired) return <StateBadge tone="warn" text={messages.apiKeys.expired} />;
        return expiresAt === null ? messages.apiKeys.noEnd : date(expiresAt);
      },
    },
    {
      label: t.action,
      hasActions: true,
      cell: ({ name, requestsHref, revokeHref }: ApiKeyListItem) => (
        <>
          <a href={requestsHref} aria-label={requests.title.replace('{name}', () => name)}>
            {requests.open}
          </a>{' '}
          <a href={revokeHref} aria-label={t.revokeKey.replace('{name}', () => name)}>
            {t.revoke}
          </a>
        </>
      ),
    },
  ];
}

/** The stores of a key, and what it may do there. */
const KeyLimits = ({
  apiKey: { stores, areas, isForOperator },
  messages,
}: {
  apiKey: ApiKeyListItem;
  messages: Messages;
}) => {
  const t = messages.apiKeys;
  return (
    <ul class="lines">
      {stores === null ? (
        <li>{t.everyStore}</li>
      ) : (
        stores.map((name) => <li>{name === null ? t.leftStore : <bdi>{name}</bdi>}</li>)
      )}
      {areas === null ? (
        <li>{t.everything}</li>
      ) : areas.length === scopeAreas.length && areas.every(({ power }) => power === 'read') ? (
        <li>{messages.partners.form.presets.read}</li>
      ) : (
        areas.map(({ area, power }) => (
          <li>
            {messages.scopes.areas[area]}: {t.areaPowers[power]}
          </li>
        ))
      )}
      {isForOperator && (
        <li>
          <StateBadge tone="neutral" text={t.operators} />
        </li>
      )}
    </ul>
  );
};
