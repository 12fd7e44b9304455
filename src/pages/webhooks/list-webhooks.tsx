import { webhookPaths } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { FlashMessage, UntrustedName } from '../../web/components/inline-text.tsx';
import type { LayoutProps } from '../../web/components/narrow-layout.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { listEndpointsOfStores } from '../../webhooks/endpoints/list-endpoints.ts';
import { loadEndpointAppNames } from './own-webhook.ts';
import { toWebhookView } from './views.ts';
import { WebhookDetails, WebhookNoticeList, type WebhookView } from './webhook-details.tsx';

/** `GET /account/webhooks`: the webhooks of the user's stores. */
export async function showWebhooks(page: SignedInPage) {
  const { env, session, now } = page;
  const endpoints = await listEndpointsOfStores(env, session.stores, now);
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
          {webhooks.map((webhook) => (
            <WebhookCard webhook={webhook} zone={zone} now={now} layout={dashboard.layout} />
          ))}
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

const WebhookCard = ({
  webhook,
  zone,
  now,
  layout: { language },
}: {
  webhook: WebhookListItem;
  zone: string;
  now: number;
  layout: LayoutProps;
}) => {
  const t = messagesFor(language).webhooks;
  const isHealthy = webhook.state === 'active' || webhook.state === 'paused';
  return (
    <article class="card">
      <h3>
        <UntrustedName name={webhook.name} />
      </h3>
      <WebhookDetails {...{ webhook, language, zone, now }} />
      {!isHealthy && webhook.notices.length > 0 && (
        <>
          <h4>{t.notices}</h4>
          <WebhookNoticeList
            {...{ language, zone, now }}
            webhook={{ ...webhook, notices: webhook.notices.slice(0, 1) }}
          />
        </>
      )}
      <p class="actions">
        <a class="button plain" href={webhook.href}>
          {t.showDeliveries}
          <span class="visually-hidden">
            {' '}
            (<UntrustedName name={webhook.name} />)
          </span>
        </a>
      </p>
    </article>
  );
};
