import { webhookPaths } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { FlashMessage, UntrustedName } from '../../web/components/inline-text.tsx';
import { SparkLine } from '../../web/components/spark-line.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { RelativeTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messageOrOther, messagesFor } from '../../web/texts/messages.ts';
import { endpointStateOf } from '../../webhooks/endpoints/endpoint-state.ts';
import {
  lastDay,
  listEndpointsOfStores,
  type MerchantEndpoint,
} from '../../webhooks/endpoints/list-endpoints.ts';
import { webhookTones } from './webhook-details.tsx';
import type { TimeFormat } from './webhook-texts.tsx';

/** `GET /account/webhooks`: the webhooks of each store of the user with their health. */
export async function showWebhooks(page: SignedInPage) {
  const { env, session, now, messages } = page;
  const { stores } = session;
  const endpoints = await listEndpointsOfStores(env, stores, now, lastDay(now));
  const endpointsByStore = Map.groupBy(endpoints, ({ storeId }) => storeId);
  const t = messages.webhooks;
  return (
    <DashboardLayout {...page.dashboard('webhooks')} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={page.query('done') === 'deleted' ? t.flash.deleted : undefined} />
      <p>{stores.length === 0 ? messages.account.start.noStores : t.lead}</p>
      {stores.map((store) => (
        <StoreSection {...{ page, store }} endpoints={endpointsByStore.get(store.id) ?? []} />
      ))}
    </DashboardLayout>
  );
}

interface StoreWebhooks {
  page: SignedInPage;
  store: ManagedStore;
  endpoints: readonly MerchantEndpoint[];
}

const StoreSection = ({ page, store, endpoints }: StoreWebhooks) => {
  const { messages, session } = page;
  const { name, alias, role } = store;
  const t = messages.webhooks;
  const hasOthers = session.stores.length > 1;
  return (
    <section aria-labelledby={`store-${alias}`}>
      <h2 id={`store-${alias}`}>
        <bdi>{name}</bdi> <span class="muted">({alias})</span>
      </h2>
      {endpoints.some(({ hasRefusedEvents }) => hasRefusedEvents) && (
        <p class="notice danger" role="alert">
          {t.eventBudget}
        </p>
      )}
      {endpoints.length === 0 ? (
        <EmptyState text={t.none} link={{ href: '/docs/guides/webhooks', text: t.docs }} />
      ) : (
        <WebhookTable {...{ page, store, endpoints }} />
      )}
      {includesRole(role, Role.manager) && (
        <p class="actions">
          <a class={hasOthers ? 'button plain' : 'button'} href={webhookPaths.create(alias)}>
            {messages.webhookForms.create}
            {hasOthers && (
              <span class="visually-hidden">
                {' '}
                <bdi>({name})</bdi>
              </span>
            )}
          </a>
        </p>
      )}
    </section>
  );
};

/** The webhooks of a store: each row leads to its deliveries. */
const WebhookTable = ({ page, store, endpoints }: StoreWebhooks) => {
  const { language, messages, now } = page;
  const format = { language, now, zone: store.zone };
  const { webhooks: t, deliveries } = messages;
  return (
    <DataTable
      caption={<span class="visually-hidden">{store.name}</span>}
      columns={[
        {
          label: messages.webhookForms.name,
          cell: ({ id, name, url }) => (
            <>
              <a href={webhookPaths.details(store.alias, id)}>
                <UntrustedName name={name} />
              </a>
              <span class="muted next host">{new URL(url).host}</span>
            </>
          ),
        },
        {
          label: t.state,
          cell: (endpoint) => {
            const state = endpointStateOf(endpoint);
            return (
              <>
                <StateBadge tone={webhookTones[state]} text={t.states[state]} />
                <span class="muted next">{stateDetail(endpoint, format)}</span>
              </>
            );
          },
        },
        {
          label: deliveries.charts.day,
          cell: ({ recent }) => {
            const total = recent.reduce((sum, count) => sum + count, 0).toLocaleString(language);
            return (
              <span class="with-spark">
                <SparkLine values={recent} text={`${deliveries.charts.day}: ${total}`} />
                <span aria-hidden="true">{total}</span>
              </span>
            );
          },
        },
        {
          label: t.lastSuccess,
          cell: ({ lastSuccessAt }) =>
            lastSuccessAt === null ? t.never : <RelativeTime {...format} at={lastSuccessAt} />,
        },
      ]}
      rows={endpoints}
    />
  );
};

/**
 * Tells a reader of the list what the state does not: since when it fails, and the latest notice of
 * what is off.
 */
function stateDetail(endpoint: MerchantEndpoint, format: TimeFormat) {
  const { failingSince, duplicate, notices } = endpoint;
  const [latest] = notices;
  const state = endpointStateOf(endpoint);
  const { webhooks: t } = messagesFor(format.language);
  if (state === 'active') return duplicate && t.hasDuplicate;
  if (state === 'disabled' || state === 'gone')
    return latest && messageOrOther(t.noticeKinds, latest.kind);
  return (
    failingSince !== null && (
      <>
        {t.failingSince} <RelativeTime {...format} at={failingSince} />
      </>
    )
  );
}
