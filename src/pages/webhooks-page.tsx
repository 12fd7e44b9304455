import type { FrameProps } from './frame.tsx';
import { GivenName } from './given-name.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { WebhookFacts, type ShownWebhook } from './webhook-facts.tsx';
import { WebhookNotices } from './webhook-notices.tsx';
import { wordsOf } from './words/words-of.ts';

type Listed = ShownWebhook & { href: string };

export interface WebhooksProps {
  panel: PanelProps;
  stores: readonly { name: string; alias: string; zone: string; webhooks: readonly Listed[] }[];
  /** Where it says how webhooks are made. */
  docsHref: string;
}

/** The webhooks of each store, with their health. */
export const WebhooksPage = ({ panel, stores, docsHref }: WebhooksProps) => {
  const words = wordsOf(panel.frame.language);
  const said = words.webhooks;
  return (
    <Panel {...panel} title={said.title}>
      <h1>{said.title}</h1>
      <p>{stores.length === 0 ? words.account.start.noStores : said.lead}</p>
      {stores.map(({ name, alias, zone, webhooks }) => (
        <section aria-labelledby={`store-${alias}`}>
          <h2 id={`store-${alias}`}>
            <bdi>{name}</bdi> <span class="muted">({alias})</span>
          </h2>
          {webhooks.length === 0 && (
            <>
              <p class="measure">{said.none}</p>
              <p>
                <a class="target" href={docsHref}>
                  {said.docs}
                </a>
              </p>
            </>
          )}
          {webhooks.map((webhook) => (
            <WebhookCard webhook={webhook} zone={zone} frame={panel.frame} />
          ))}
        </section>
      ))}
    </Panel>
  );
};

const WebhookCard = ({
  webhook,
  zone,
  frame: { language },
}: {
  webhook: Listed;
  zone: string;
  frame: FrameProps;
}) => {
  const said = wordsOf(language).webhooks;
  const isWell = webhook.state === 'active' || webhook.state === 'paused';
  return (
    <article class="card">
      <h3>
        <GivenName name={webhook.name} />
      </h3>
      <WebhookFacts {...{ webhook, language, zone }} />
      {!isWell && webhook.notices.length > 0 && (
        <>
          <h4>{said.notices}</h4>
          <WebhookNotices {...{ language, zone }} notices={webhook.notices.slice(0, 1)} />
        </>
      )}
      <p class="actions">
        <a
          class="button plain"
          href={webhook.href}
          aria-label={said.lookAt.replace('{name}', () => webhook.name)}
        >
          {said.look}
        </a>
      </p>
    </article>
  );
};
