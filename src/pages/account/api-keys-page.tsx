import type { Language } from '../../base/languages.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { FlashMessage } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';

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
  revokeHref: string;
}

interface ApiKeysPageProps {
  dashboard: DashboardProps;
  apiKeys: readonly ApiKeyListItem[];
  zone: string;
  newHref: string;
  /** Whether a key has just been revoked. */
  hasRevokedKey: boolean;
}

/** The API keys of the user. */
export const ApiKeysPage = ({
  dashboard,
  apiKeys,
  zone,
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
            columns={keyColumns(dashboard.layout.language, zone)}
          />
          <p class="muted">{t.usedHint}</p>
        </>
      )}
    </DashboardLayout>
  );
};

function keyColumns(language: Language, zone: string) {
  const messages = messagesFor(language);
  const { keys: t } = messages.account;
  const time = (at: number) => <FormattedTime {...{ language, zone, at }} />;
  return [
    { label: t.name, cell: ({ name }: ApiKeyListItem) => <bdi>{name}</bdi> },
    { label: t.secretEndsIn, cell: ({ lastFour }: ApiKeyListItem) => <code>{lastFour}</code> },
    {
      label: messages.apiKeys.limits,
      cell: (apiKey: ApiKeyListItem) => <KeyLimits {...{ apiKey, messages }} />,
    },
    { label: t.created, cell: ({ createdAt }: ApiKeyListItem) => time(createdAt) },
    {
      label: t.used,
      cell: ({ lastUsedAt }: ApiKeyListItem) => (lastUsedAt === null ? t.never : time(lastUsedAt)),
    },
    {
      label: messages.apiKeys.ends,
      cell: ({ expiresAt, isExpired }: ApiKeyListItem) => {
        if (isExpired) return <StateBadge tone="warn" text={messages.apiKeys.expired} />;
        return expiresAt === null ? messages.apiKeys.noEnd : time(expiresAt);
      },
    },
    {
      label: t.action,
      cell: ({ name, revokeHref }: ApiKeyListItem) => (
        <a href={revokeHref} aria-label={t.revokeKey.replace('{name}', () => name)}>
          {t.revoke}
        </a>
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
