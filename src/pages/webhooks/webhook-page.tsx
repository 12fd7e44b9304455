import type { Language } from '../../base/languages.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { messagesFor } from '../../web/texts/messages.ts';
import { DeliveryCharts } from './delivery-charts.tsx';
import {
  DeliveryFilterNav,
  DeliveryList,
  type DeliveryFilter,
  type DeliveryListItem,
} from './delivery-list.tsx';
import { WebhookDetails, WebhookNoticeList, type WebhookView } from './webhook-details.tsx';
import type { TimeFormat } from './webhook-texts.tsx';

/** The results of a form that the page can show. */
export const webhookFlashes = ['resent', 'paused', 'resumed', 'edited', 'rotated'] as const;

interface WebhookActions {
  editHref: string;
  rotateHref: string;
  pingHref: string;
  pauseHref: string;
  resumeHref: string;
  deleteHref: string;
}

interface WebhookPageProps {
  dashboard: DashboardProps;
  webhook: WebhookView;
  store: { name: string; alias: string; zone: string };
  /** Epoch milliseconds. */
  now: number;
  /** Absent once the webhook is gone. */
  history: Parameters<typeof DeliveryCharts>[0]['history'] | undefined;
  deliveries: readonly DeliveryListItem[];
  filter: DeliveryFilter | undefined;
  filterHref: (filter: DeliveryFilter | undefined) => string;
  newestHref: string | undefined;
  olderHref: string | undefined;
  listHref: string;
  /** The possible actions of the reader; absent for viewers. */
  actions: WebhookActions | undefined;
  flash: (typeof webhookFlashes)[number] | undefined;
}

/** One webhook: its health, its actions and its delivery log. */
export const WebhookPage = ({ dashboard, webhook, store, flash, ...props }: WebhookPageProps) => {
  const { language } = dashboard.layout;
  const { webhooks: t, deliveries: log } = messagesFor(language);
  const format = { language, zone: store.zone, now: props.now };
  const isActive = webhook.state === 'active' || webhook.state === 'failing';
  const isHeld = flash === 'resent' && !isActive;
  return (
    <DashboardLayout {...dashboard} title={webhook.name}>
      <p>
        <a class="target" href={props.listHref}>
          {t.back}
        </a>
      </p>
      <h1>
        <UntrustedName name={webhook.name} />
      </h1>
      <FlashMessage text={flash && t.flash[isHeld ? 'resentHeld' : flash]} />
      <p class="muted">
        <bdi>{store.name}</bdi> ({store.alias})
      </p>
      <div class="card">
        <WebhookDetails {...{ webhook }} {...format} />
      </div>
      {webhook.rotation && (
        <SecretChange
          {...{ format }}
          rotation={webhook.rotation}
          href={props.actions?.rotateHref}
          isPrimary={isActive}
        />
      )}
      {props.actions && (
        <WebhookActionLinks
          {...props.actions}
          {...{ isActive, language }}
          isSecretChanging={webhook.rotation !== undefined}
        />
      )}
      {props.history && <DeliveryCharts history={props.history} {...format} />}
      <h2>{t.notices}</h2>
      <WebhookNoticeList {...{ webhook }} {...format} />
      <h2>{log.title}</h2>
      <DeliveryFilterNav current={props.filter} hrefOf={props.filterHref} language={language} />
      {props.deliveries.length === 0 ? (
        <p>{props.filter ? log.noneInState : log.none}</p>
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
    </DashboardLayout>
  );
};

/** The change of the secret that is under way, with its next step for those who may take it. */
const SecretChange = ({
  rotation: { state, until },
  format,
  href,
  isPrimary,
}: {
  rotation: NonNullable<WebhookView['rotation']>;
  format: TimeFormat;
  href: string | undefined;
  isPrimary: boolean;
}) => {
  const t = messagesFor(format.language).webhookForms.rotate;
  const { language, zone } = format;
  const time = <FormattedTime {...{ language, zone }} at={until} hasSeconds />;
  const mayFinish = state === 'overlap' && href !== undefined;
  return (
    <div class="card">
      <h2>{t.underWayTitle}</h2>
      <p>
        <Interpolate text={t[state]} parts={{ time }} />
      </p>
      {mayFinish && (
        <>
          <p>{t.finishLead}</p>
          <p class="actions">
            <a class={isPrimary ? 'button' : 'button plain'} href={href}>
              {t.finish}
            </a>
          </p>
        </>
      )}
    </div>
  );
};

const WebhookActionLinks = ({
  isActive,
  isSecretChanging,
  language,
  ...hrefs
}: WebhookActions & { isActive: boolean; isSecretChanging: boolean; language: Language }) => {
  const { webhooks: t, webhookForms: forms } = messagesFor(language);
  return (
    <p class="actions">
      {!isActive && (
        <a class="button" href={hrefs.resumeHref}>
          {t.resume.title}
        </a>
      )}
      <a class="button plain" href={hrefs.editHref}>
        {forms.edit}
      </a>
      <a class="button plain" href={hrefs.pingHref}>
        {t.ping.title}
      </a>
      {!isSecretChanging && (
        <a class="button plain" href={hrefs.rotateHref}>
          {forms.rotate.title}
        </a>
      )}
      {isActive && (
        <a class="button plain" href={hrefs.pauseHref}>
          {t.pause.title}
        </a>
      )}
      <a class="button danger" href={hrefs.deleteHref}>
        {forms.remove.title}
      </a>
    </p>
  );
};
