import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { appPaths } from '../../base/page-paths.ts';
import { findStoresById } from '../../data/directory/stores.ts';
import { installsPerPage } from '../../data/grants/installs.ts';
import { listAppInstalls } from '../../oauth/installed-apps.ts';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messageOrOther } from '../../web/texts/messages.ts';
import { requireOwnApp } from './partner-apps.tsx';

const webhookStates = ['active', 'failing', 'paused', 'disabled'] as const;

type AppInstall = Awaited<ReturnType<typeof listAppInstalls>>[number];

/**
 * `GET /partners/{client id}/stores`: the stores of an app, 25 a page, after the id of the query
 * `after`.
 */
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
  const { language, messages } = page;
  const { partners, partnerTools } = messages;
  const { installs: t, trial } = partnerTools;
  const zone = defaultZone;
  const time = (at: number | null) =>
    at === null ? '–' : <FormattedTime {...{ language, zone, at }} />;
  const webhooksOf = ({ webhooks }: AppInstall) =>
    webhookStates
      .filter((state) => webhooks[state] > 0)
      .map((state) =>
        t.webhooks[state].replace('{count}', webhooks[state].toLocaleString(language)),
      )
      .join(', ') || t.noWebhooks;
  const stateOf = ({ storeId, isConnected, reason }: AppInstall) => {
    if (!isConnected) {
      return (
        <>
          <StateBadge tone="danger" text={t.ended} />{' '}
          {reason !== null && messageOrOther(partners.kinds, reason)}
        </>
      );
    }
    return stores.get(storeId)?.active ? (
      <StateBadge tone="good" text={t.connected} />
    ) : (
      <StateBadge tone="warn" text={t.inactive} />
    );
  };
  return (
    <DashboardLayout {...page.dashboard('partners/apps')} title={t.open}>
      <h1>
        <Interpolate text={t.title} parts={{ app: <UntrustedName name={app.name} /> }} />
      </h1>
      {installs.length === 0 ? (
        <EmptyState text={t.none} />
      ) : (
        <DataTable
          caption={t.caption}
          rows={installs}
          columns={[
            { label: t.columns.store, cell: ({ storeId }) => stores.get(storeId)?.alias ?? '–' },
            { label: t.columns.state, cell: stateOf },
            { label: t.columns.since, cell: ({ connectedAt }) => time(connectedAt) },
            { label: t.columns.refreshed, cell: ({ refreshedAt }) => time(refreshedAt) },
            { label: t.columns.webhooks, cell: webhooksOf },
          ]}
        />
      )}
      <p class="actions">
        <a class="button plain" href={appPaths.app(clientId)}>
          {trial.back}
        </a>
        {after > 0 && (
          <a class="button plain" href={path}>
            {t.first}
          </a>
        )}
        {found.length > installsPerPage && last && (
          <a class="button" href={`${path}?after=${last.storeId}`}>
            {t.next}
          </a>
        )}
      </p>
    </DashboardLayout>
  );
}
