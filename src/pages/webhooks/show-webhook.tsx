import { notFound } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import { browserPaths, webhookPaths, withQueryParameter } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { parsePathNumber, type SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { listDeliveries } from '../../webhooks/log/list-deliveries.ts';
import { loadDeliveryHistory } from '../../webhooks/log/stats.ts';
import { chartsBegin, DeliveryCharts } from './delivery-charts.tsx';
import {
  deliveryFilters,
  DeliveryFilterNav,
  DeliveryList,
  type DeliveryFilter,
  type DeliveryListItem,
} from './delivery-list.tsx';
import { loadEndpointAppNames, openOwnWebhook, requireEndpoint } from './own-webhook.ts';
import { toDeliveryView, toWebhookView } from './views.ts';
import { WebhookDetails, WebhookNoticeList, type WebhookView } from './webhook-details.tsx';
import type { TimeFormat } from './webhook-texts.tsx';

const deliveriesPerPage = 20;

/** `GET /account/webhooks/{alias}/{id}`: a webhook's health, its deliveries over time, and its delivery log, newest first. */
export async function showWebhook(page: SignedInPage) {
  const { store, path, now } = page;
  const { db, actor, id } = openOwnWebhook(page);
  const [before, state] = [page.query('before'), page.query('state')];
  const filter = deliveryFilters.find((name) => name === state);
  if (state !== undefined && !filter) throw notFound();
  const [endpoint, history, log] = await Promise.all([
    requireEndpoint(page),
    loadDeliveryHistory(db, actor, id, chartsBegin(now)),
    listDeliveries(db, actor, id, {
      limit: deliveriesPerPage,
      before: before === undefined ? undefined : parsePathNumber(before),
      state: filter && DeliveryState[filter],
      event: undefined,
      during: undefined,
    }),
  ]);
  const filteredPath = withQueryParameter(path, 'state', filter);
  return (
    <WebhookPage
      dashboard={page.dashboard('webhooks', withQueryParameter(filteredPath, 'before', before))}
      webhook={toWebhookView(endpoint, await loadEndpointAppNames(page, [endpoint]), {
        store,
        service: page.messages.activity.service,
        now,
        isUrlShown: includesRole(store.role, Role.manager),
      })}
      store={store}
      now={now}
      history={history}
      deliveries={(log?.rows ?? []).map((row) => ({
        ...toDeliveryView(row, now),
        href: webhookPaths.delivery(store.alias, id, row.seq),
      }))}
      filter={filter}
      filterHref={(name) => withQueryParameter(path, 'state', name)}
      newestHref={before === undefined ? undefined : filteredPath}
      olderHref={
        log?.next ? withQueryParameter(filteredPath, 'before', String(log.next)) : undefined
      }
      listHref={browserPaths.webhooks}
      actions={
        includesRole(store.role, Role.manager)
          ? {
              editHref: webhookPaths.edit(store.alias, id),
              rotateHref: webhookPaths.rotate(store.alias, id),
              pingHref: webhookPaths.ping(store.alias, id),
              pauseHref: webhookPaths.pause(store.alias, id),
              resumeHref: webhookPaths.resume(store.alias, id),
              deleteHref: webhookPaths.delete(store.alias, id),
            }
          : undefined
      }
      flash={page.done(webhookFlashes)}
    />
  );
}

/** The results of a form that the page can show. */
const webhookFlashes = ['resent', 'paused', 'resumed', 'edited', 'rotated'] as const;

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
const WebhookPage = ({ dashboard, webhook, store, flash, ...props }: WebhookPageProps) => {
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
