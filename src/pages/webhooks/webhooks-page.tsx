import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { FlashMessage, UntrustedName } from '../../web/components/inline-text.tsx';
import type { LayoutProps } from '../../web/components/narrow-layout.tsx';
import { messagesFor } from '../../web/texts/messages.ts';
import { WebhookDetails, WebhookNoticeList, type WebhookView } from './webhook-details.tsx';

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
export const WebhooksPage = ({
  dashboard,
  stores,
  now,
  docsHref,
  hasDeleted,
}: WebhooksPageProps) => {
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
