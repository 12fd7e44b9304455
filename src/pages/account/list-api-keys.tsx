import { revokeApiKey } from '../../accounts/users/manage-api-keys.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { apiKeyPaths, browserPaths } from '../../base/page-paths.ts';
import { findOwnApiKey, listApiKeys } from '../../data/directory/api-keys.ts';
import { scopeAreas, scopesFromBits, type ScopeArea } from '../../data/grants/scopes.ts';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { Interpolate, FlashMessage } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedDate, RelativeTime } from '../../web/components/time.tsx';
import { confirmation } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';

type ApiKey = Awaited<ReturnType<typeof listApiKeys>>[number];

/** `GET /account/keys`: the user's API keys. */
export async function showApiKeys(page: SignedInPage) {
  const rows = await listApiKeys(page.directory, page.user.id);
  const t = page.messages.account.keys;
  return (
    <DashboardLayout {...page.dashboard('keys')} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={page.query('done') === 'revoked' ? t.revoked : undefined} />
      <p>{t.lead}</p>
      <p>
        <a class="button" href={apiKeyPaths.create}>
          {t.create}
        </a>
      </p>
      {rows.length === 0 ? (
        <p>{t.none}</p>
      ) : (
        <>
          <DataTable caption={t.caption} rows={rows} columns={keyColumns(page)} />
          <p class="muted">{t.usedHint}</p>
        </>
      )}
    </DashboardLayout>
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

/**
 * `/account/keys/:id/revoke`: asks before a live key of the user is revoked. Throws 404 for any
 * other.
 */
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

function keyColumns(page: SignedInPage) {
  const { language, messages, now } = page;
  const { keys: t } = messages.account;
  const { requests } = messages.partnerTools;
  const zone = defaultZone;
  // Three times to the minute beside each other leave no room for the links.
  const date = (at: number) => <FormattedDate {...{ language, zone, at }} dateStyle="medium" />;
  return [
    { label: t.name, cell: ({ name }: ApiKey) => <bdi>{name}</bdi> },
    { label: t.secretEndsIn, cell: ({ lastFour }: ApiKey) => <code>{lastFour}</code> },
    {
      label: messages.apiKeys.limits,
      cell: (apiKey: ApiKey) => <KeyLimits {...{ apiKey, page }} />,
    },
    { label: t.created, cell: ({ createdAt }: ApiKey) => date(createdAt) },
    {
      label: t.used,
      cell: ({ lastUsedAt: at }: ApiKey) =>
        at === null ? t.never : <RelativeTime {...{ language, zone, at, now }} toDay />,
    },
    {
      label: messages.apiKeys.ends,
      cell: ({ expiresAt }: ApiKey) => {
        if (expiresAt === null) return messages.apiKeys.noEnd;
        if (expiresAt > now) return date(expiresAt);
        return <StateBadge tone="warn" text={messages.apiKeys.expired} />;
      },
    },
    {
      label: t.action,
      hasActions: true,
      cell: ({ id, name }: ApiKey) => (
        <>
          <a
            href={apiKeyPaths.requests(id)}
            aria-label={requests.title.replace('{name}', () => name)}
          >
            {requests.open}
          </a>{' '}
          <a href={apiKeyPaths.revoke(id)} aria-label={t.revokeKey.replace('{name}', () => name)}>
            {t.revoke}
          </a>
        </>
      ),
    },
  ];
}

/** The stores of a key, and what it may do there. */
const KeyLimits = ({
  apiKey: { scopes, storeIds, isForOperator },
  page: { messages, session },
}: {
  apiKey: ApiKey;
  page: SignedInPage;
}) => {
  const t = messages.apiKeys;
  const areas = scopes === null ? null : areasOf(scopes);
  return (
    <ul class="lines">
      {storeIds === null ? (
        <li>{t.everyStore}</li>
      ) : (
        storeNames(storeIds, session).map((name) => (
          <li>{name === null ? t.leftStore : <bdi>{name}</bdi>}</li>
        ))
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
