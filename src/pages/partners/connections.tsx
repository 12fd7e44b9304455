import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { appPaths } from '../../base/page-paths.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { installsPerPage } from '../../data/grants/installs.ts';
import { listAppInstalls } from '../../oauth/installed-apps.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messageOrOther, messagesFor } from '../../web/texts/messages.ts';
import { requireOwnApp } from './partner-apps.tsx';

/** `GET /partners/{client id}/stores`: the stores of an app, 25 a page, after the id of the query `after`. */
export async function showInstalls(page: SignedInPage) {
  const app = await requireOwnApp(page);
  const { client_id: clientId } = app;
  const { env, directory, path, now } = page;
  const after = Number(/^\d{1,15}$/.exec(page.query('after') ?? '')?.[0] ?? 0);
  const found = await listAppInstalls(env, { clientId, after, now });
  const installs = found.slice(0, installsPerPage);
  const ids = installs.map(({ storeId }) => storeId);
  const known = ids.length === 0 ? [] : await findStoresById(directory, ids);
  const stores = new Map(known.map((store) => [store.id, store]));
  const last = installs.at(-1);
  return (
    <InstallsPage
      dashboard={page.dashboard('partners/apps')}
      appName={app.name}
      installs={installs.map(({ storeId, ...install }) => ({
        ...install,
        alias: stores.get(storeId)?.alias ?? null,
        isStoreActive: stores.get(storeId)?.active ?? false,
      }))}
      zone={defaultZone}
      back={appPaths.app(clientId)}
      firstHref={after > 0 ? path : undefined}
      nextHref={
        found.length > installsPerPage && last ? `${path}?after=${last.storeId}` : undefined
      }
    />
  );
}

const webhookStates = ['active', 'failing', 'paused', 'disabled'] as const;

interface InstallsPageProps {
  dashboard: DashboardProps;
  appName: string;
  /** Times are epoch milliseconds. */
  installs: readonly {
    /** Alias of the store; null for one that is gone. */
    alias: string | null;
    isStoreActive: boolean;
    isConnected: boolean;
    /** Kind of the event that ended the connection. */
    reason: string | null;
    connectedAt: number;
    refreshedAt: number | null;
    webhooks: Readonly<Record<(typeof webhookStates)[number], number>>;
  }[];
  zone: string;
  back: string;
  firstHref: string | undefined;
  nextHref: string | undefined;
}

/** The stores of an app, a page at a time. */
const InstallsPage = ({ dashboard, appName, installs, zone, ...props }: InstallsPageProps) => {
  const { language } = dashboard.layout;
  const { partners, partnerTools } = messagesFor(language);
  const { installs: t, trial } = partnerTools;
  type Install = InstallsPageProps['installs'][number];
  const time = (at: number | null) =>
    at === null ? '–' : <FormattedTime {...{ language, zone, at }} />;
  const webhooksOf = ({ webhooks }: Install) =>
    webhookStates
      .filter((state) => webhooks[state] > 0)
      .map((state) =>
        t.webhooks[state].replace('{count}', webhooks[state].toLocaleString(language)),
      )
      .join(', ') || t.noWebhooks;
  const stateOf = ({ isConnected, isStoreActive, reason }: Install) => {
    if (!isConnected) {
      return (
        <>
          <StateBadge tone="danger" text={t.ended} />{' '}
          {reason !== null && messageOrOther(partners.kinds, reason)}
        </>
      );
    }
    return isStoreActive ? (
      <StateBadge tone="good" text={t.connected} />
    ) : (
      <StateBadge tone="warn" text={t.inactive} />
    );
  };
  return (
    <DashboardLayout {...dashboard} title={t.open}>
      <h1>
        <Interpolate text={t.title} parts={{ app: <UntrustedName name={appName} /> }} />
      </h1>
      {installs.length === 0 ? (
        <EmptyState text={t.none} />
      ) : (
        <DataTable
          caption={t.caption}
          rows={installs}
          columns={[
            { label: t.columns.store, cell: ({ alias }) => alias ?? '–' },
            { label: t.columns.state, cell: stateOf },
            { label: t.columns.since, cell: ({ connectedAt }) => time(connectedAt) },
            { label: t.columns.refreshed, cell: ({ refreshedAt }) => time(refreshedAt) },
            { label: t.columns.webhooks, cell: webhooksOf },
          ]}
        />
      )}
      <p class="actions">
        <a class="button plain" href={props.back}>
          {trial.back}
        </a>
        {props.firstHref && (
          <a class="button plain" href={props.firstHref}>
            {t.first}
          </a>
        )}
        {props.nextHref && (
          <a class="button" href={props.nextHref}>
            {t.next}
          </a>
        )}
      </p>
    </DashboardLayout>
  );
};
