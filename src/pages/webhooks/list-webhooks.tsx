import { webhookPaths } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { FlashMessage, UntrustedName } from '../../web/components/inline-text.tsx';
import { SparkLine } from '../../web/components/spark-line.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { RelativeTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messageOrOther, messagesFor } from '../../web/texts/messages.ts';
import { lastDay, listEndpointsOfStores } from '../../webhooks/endpoints/list-endpoints.ts';
import { loadEndpointAppNames } from './own-webhook.ts';
import { toWebhookView } from './views.ts';
import { webhookTones, type WebhookView } from './webhook-details.tsx';
import type { TimeFormat } from './webhook-texts.tsx';

/** `GET /account/webhooks`: the webhooks of the user's stores. */
export async function showWebhooks(page: SignedInPage) {
  const { env, session, now } = page;
  const endpoints = await listEndpointsOfStores(env, session.stores, now, lastDay(now));
  const appNames = await loadEndpointAppNames(page, endpoints);
  const endpointsByStore = Map.groupBy(endpoints, ({ storeId }) => storeId);
  return (
    <WebhooksPage
      dashboard={page.dashboard('webhooks')}
      stores={session.stores.map(({ id, name, alias, zone, role }) => ({
        name,
        alias,
        zone,
        createHref: includesRole(role, Role.manager) ? webhookPaths.create(alias) : undefined,
        hasRefusedEvents: (endpointsByStore.get(id) ?? []).some(
          ({ hasRefusedEvents }) => hasRefusedEvents,
        ),
        webhooks: (endpointsByStore.get(id) ?? []).map((endpoint) => ({
          ...toWebhookView(endpoint, appNames, {
            store: { alias },
            service: page.messages.activity.service,
            now,
          }),
          href: webhookPaths.details(alias, endpoint.id),
        })),
      }))}
      now={now}
      docsHref="/docs/guides/webhooks"
      hasDeleted={page.query('done') === 'deleted'}
    />
  );
}

type WebhookListItem = WebhookView & { href: string };

interface WebhooksPageProps {
  dashboard: DashboardProps;
  stores: readonly {
    name: string;
    alias: string;
    zone: string;
    /** Writes of today were refused, because the store recorded too many bytes of events. */
    hasRefusedEvents: boolean;
    webhooks: readonly WebhookListItem[];
    /** Absent for viewers. */
    createHref: string | undefined;
  }[];
  /** Epoch milliseconds. */
  now: number;
  /** Link to the documentation of webhooks. */
  docsHref: string;
  /** Whether a webhook has just been deleted. */
  hasDeleted: boolean;
}

/** The webhooks of each store with their health. */
const WebhooksPage = ({ dashboard, stores, now, docsHref, hasDeleted }: WebhooksPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.webhooks;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={hasDeleted ? t.flash.deleted : undefined} />
      <p>{stores.length === 0 ? messages.account.start.noStores : t.lead}</p>
      {stores.map(({ name, alias, zone, hasRefusedEvents, webhooks, createHref }) => (
        <section aria-labelledby={`store-${alias}`}>
          <h2 id={`store-${alias}`}>
            <bdi>{name}</bdi> <span class="muted">({alias})</span>
          </h2>
          {hasRefusedEvents && (
            <p class="notice danger" role="alert">
              {t.eventBudget}
            </p>
          )}
          {webhooks.length === 0 && (
            <EmptyState text={t.none} link={{ href: docsHref, text: t.docs }} />
          )}
          {webhooks.length > 0 && (
            <WebhookTable
              {...{ webhooks, zone, now }}
              caption={name}
              language={dashboard.layout.language}
            />
          )}
          {createHref !== undefined && (
            <p class="actions">
              <a class={stores.length === 1 ? 'button' : 'button plain'} href={createHref}>
                {messages.webhookForms.create}
                {stores.length > 1 && (
                  <span class="visually-hidden">
                    {' '}
                    <bdi>({name})</bdi>
                  </span>
                )}
              </a>
            </p>
          )}
        </section>
      ))}
    </DashboardLayout>
  );
};

/** The webhooks of a store: each row leads to its deliveries. */
const WebhookTable = ({
  caption,
  webhooks,
  ...format
}: TimeFormat & { caption: string; webhooks: readonly WebhookListItem[] }) => {
  const messages = messagesFor(format.language);
  const { webhooks: t, deliveries } = messages;
  return (
    <DataTable
      caption={<span class="visually-hidden">{caption}</span>}
      columns={[
        {
          label: messages.webhookForms.name,
          cell: ({ href, name, host }) => (
            <>
              <a href={href}>
                <UntrustedName name={name} />
              </a>
              <span class="muted next host">{host}</span>
            </>
          ),
        },
        {
          label: t.state,
          cell: (webhook) => (
            <>
              <StateBadge tone={webhookTones[webhook.state]} text={t.states[webhook.state]} />
              <span class="muted next">{stateDetail(webhook, format)}</span>
            </>
          ),
        },
        {
          label: deliveries.charts.day,
          cell: ({ recent }) => {
            const total = recent
              .reduce((sum, count) => sum + count, 0)
              .toLocaleString(format.language);
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
      rows={webhooks}
    />
  );
};

/** Tells a reader of the list what the state does not: since when it fails, and the latest notice of what is off. */
function stateDetail(
  { state, failingSince, duplicate, notices: [latest] }: WebhookListItem,
  format: TimeFormat,
) {
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
