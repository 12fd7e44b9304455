import { FlashMessage } from '../components/text.tsx';
import { FormattedTime } from '../components/time.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';
import type { LayoutProps } from '../layout/narrow-layout.tsx';

interface ApiKeyListItem {
  name: string;
  lastFour: string;
  /** Epoch milliseconds. */
  createdAt: number;
  lastUsedAt: number | null;
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
          <table>
            <caption>{t.caption}</caption>
            <thead>
              <tr>
                <th scope="col">{t.name}</th>
                <th scope="col">{t.secretEndsIn}</th>
                <th scope="col">{t.created}</th>
                <th scope="col">{t.used}</th>
                <th scope="col">{t.action}</th>
              </tr>
            </thead>
            <tbody>
              {apiKeys.map((apiKey) => (
                <ApiKeyRow apiKey={apiKey} zone={zone} layout={dashboard.layout} />
              ))}
            </tbody>
          </table>
          <p class="muted">{t.usedHint}</p>
        </>
      )}
    </DashboardLayout>
  );
};

const ApiKeyRow = ({
  apiKey: { name, lastFour, createdAt, lastUsedAt, revokeHref },
  zone,
  layout: { language },
}: {
  apiKey: ApiKeyListItem;
  zone: string;
  layout: LayoutProps;
}) => {
  const t = messagesFor(language).account.keys;
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td data-label={t.secretEndsIn}>
        <code>{lastFour}</code>
      </td>
      <td data-label={t.created}>
        <FormattedTime {...{ language, zone }} at={createdAt} />
      </td>
      <td data-label={t.used}>
        {lastUsedAt === null ? t.never : <FormattedTime {...{ language, zone }} at={lastUsedAt} />}
      </td>
      <td>
        <a href={revokeHref} aria-label={t.revokeKey.replace('{name}', () => name)}>
          {t.revoke}
        </a>
      </td>
    </tr>
  );
};
