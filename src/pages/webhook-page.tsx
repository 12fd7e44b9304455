import { DeliveryFilters, type DeliveryFilter } from './delivery-filters.tsx';
import { DeliveryList, type ListedDelivery } from './delivery-list.tsx';
import { GivenName } from './given-name.tsx';
import { News } from './news.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { WebhookFacts, type ShownWebhook } from './webhook-facts.tsx';
import { WebhookNotices } from './webhook-notices.tsx';
import { wordsOf } from './words/words-of.ts';

/** What may just have been done. */
export const webhookNews = ['resent', 'paused', 'resumed'] as const;

export interface WebhookProps {
  panel: PanelProps;
  webhook: ShownWebhook;
  store: { name: string; alias: string; zone: string };
  deliveries: readonly ListedDelivery[];
  filter: DeliveryFilter | undefined;
  filterHref: (filter: DeliveryFilter | undefined) => string;
  newestHref: string | undefined;
  olderHref: string | undefined;
  listHref: string;
  pingHref: string;
  pauseHref: string;
  resumeHref: string;
  news: (typeof webhookNews)[number] | undefined;
}

/** One webhook: health, what can be done, and its log. */
export const WebhookPage = ({ panel, webhook, store, news, ...props }: WebhookProps) => {
  const { language } = panel.frame;
  const { webhooks: said, deliveries: log } = wordsOf(language);
  const format = { language, zone: store.zone };
  const isActive = webhook.state === 'active' || webhook.state === 'failing';
  const isHeld = news === 'resent' && !isActive;
  return (
    <Panel {...panel} title={webhook.name}>
      <p>
        <a class="target" href={props.listHref}>
          {said.back}
        </a>
      </p>
      <h1>
        <GivenName name={webhook.name} />
      </h1>
      <News text={news && said.news[isHeld ? 'resentHeld' : news]} />
      <p class="muted">
        <bdi>{store.name}</bdi> ({store.alias})
      </p>
      <WebhookFacts {...{ webhook }} {...format} />
      <p class="actions">
        {!isActive && (
          <a class="button" href={props.resumeHref}>
            {said.resume.title}
          </a>
        )}
        <a class="button plain" href={props.pingHref}>
          {said.ping.title}
        </a>
        {isActive && (
          <a class="button danger" href={props.pauseHref}>
            {said.pause.title}
          </a>
        )}
      </p>
      <h2>{said.notices}</h2>
      <WebhookNotices notices={webhook.notices} {...format} />
      <h2>{log.title}</h2>
      <DeliveryFilters current={props.filter} hrefOf={props.filterHref} language={language} />
      {props.deliveries.length === 0 ? (
        <p>{props.filter ? log.noneSuch : log.none}</p>
      ) : (
        <DeliveryList deliveries={props.deliveries} {...format} />
      )}
      <p class="actions">
        {props.newestHref !== undefined && (
          <a class="button plain" href={props.newestHref}>
            {log.newest}
          </a>
        )}
        {props.olderHref !== undefined && (
          <a class="button plain" href={props.olderHref}>
            {log.older}
          </a>
        )}
      </p>
    </Panel>
  );
};
