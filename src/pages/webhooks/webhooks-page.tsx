import { UntrustedName } from '../components/text.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';
import type { LayoutProps } from '../layout/narrow-layout.tsx';
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
  }[];
  /** Link to the documentation of webhooks. */
  docsHref: string;
}

/** The webhooks of each store with their health. */
export const WebhooksPage = ({ dashboard, stores, docsHref }: WebhooksPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.webhooks;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <p>{stores.length === 0 ? messages.account.start.noStores : t.lead}</p>
      {stores.map(({ name, alias, zone, hasRefusedEvents, webhooks }) => (
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
            <>
              <p class="measure">{t.none}</p>
              <p>
                <a class="target" href={docsHref}>
                  {t.docs}
                </a>
              </p>
            </>
          )}
          {webhooks.map((webhook) => (
            <WebhookCard webhook={webhook} zone={zone} layout={dashboard.layout} />
          ))}
        </section>
      ))}
    </DashboardLayout>
  );
};

const WebhookCard = ({
  webhook,
  zone,
  layout: { language },
}: {
  webhook: WebhookListItem;
  zone: string;
  layout: LayoutProps;
}) => {
  const t = messagesFor(language).webhooks;
  const isHealthy = webhook.state === 'active' || webhook.state === 'paused';
  return (
    <article class="card">
      <h3>
        <UntrustedName name={webhook.name} />
      </h3>
      <WebhookDetails {...{ webhook, language, zone }} />
      {!isHealthy && webhook.notices.length > 0 && (
        <>
          <h4>{t.notices}</h4>
          <WebhookNoticeList {...{ language, zone }} notices={webhook.notices.slice(0, 1)} />
        </>
      )}
      <p class="actions">
        <a
          class="button plain"
          href={webhook.href}
          aria-label={t.showDeliveriesOf.replace('{name}', () => webhook.name)}
        >
          {t.showDeliveries}
        </a>
      </p>
    </article>
  );
};
