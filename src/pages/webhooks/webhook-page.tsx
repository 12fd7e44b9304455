import * as z from 'zod';
import { notFound } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import { browserPaths, webhookPaths, withQueryParameter } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import { ActionMenu } from '../../web/components/action-menu.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FormTokenInput, type FormProps } from '../../web/components/form-fields.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { sentText } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
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
import {
  type PingOutcome,
  type RefusedApp,
  ResumeRefusal,
  findRefusedApp,
  pauseWebhook,
  pingWebhook,
  shownPing,
  tryWebhookNow,
} from './webhook-actions.tsx';
import { WebhookDetails, WebhookNoticeList, type WebhookView } from './webhook-details.tsx';
import { formatResult, tryFormId, type TimeFormat } from './webhook-texts.tsx';

const deliveriesPerPage = 20;

/** The actions of the form. Others have pages of their own, since they ask something or end something. */
const webhookActions = ['ping', 'pause', 'tryNow'] as const;

/**
 * `/account/webhooks/{alias}/{id}`: a webhook's health, its deliveries over time, and its delivery log, newest first. Its form
 * sends a ping, whose outcome the page shows next (429 within ten seconds of the store's last). It also pauses the webhook, or
 * makes its next attempt now.
 */
export const webhookForm = userForm<WebhookState, { action: string }, PingOutcome>({
  path: webhookPaths.details(':alias', ':id'),
  role: Role.manager,
  showRole: Role.viewer,
  proof: true,
  limit: 'webhooks',
  part: 'webhooks',
  load: loadWebhook,
  fields: () => z.object({ action: sentText }),
  render(
    page,
    { endpoint, refusedApp, apps, history, log, filter, before, pinged },
    form,
    refused,
  ) {
    const { store, path, now } = page;
    const { id } = endpoint;
    const filteredPath = withQueryParameter(path, 'state', filter);
    return (
      <WebhookPage
        dashboard={page.dashboard('webhooks', withQueryParameter(filteredPath, 'before', before))}
        webhook={toWebhookView(endpoint, apps, {
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
                form,
                refusedApp,
                editHref: webhookPaths.edit(store.alias, id),
                rotateHref: webhookPaths.rotate(store.alias, id),
                resumeHref: webhookPaths.resume(store.alias, id),
                deleteHref: webhookPaths.delete(store.alias, id),
              }
            : undefined
        }
        flash={page.done(webhookFlashes)}
        ping={refused ?? (pinged?.id === id ? pinged.result : undefined)}
      />
    );
  },
  async submit(page, { action }) {
    const chosen = webhookActions.find((name) => name === action);
    if (chosen === undefined) return {};
    if (chosen === 'tryNow') return tryWebhookNow(page);
    return chosen === 'ping' ? pingWebhook(page) : pauseWebhook(page);
  },
});

type WebhookState = Awaited<ReturnType<typeof loadWebhook>>;

async function loadWebhook(page: SignedInPage) {
  const { db, actor, id } = openOwnWebhook(page);
  const [before, state] = [page.query('before'), page.query('state')];
  const filter = deliveryFilters.find((name) => name === state);
  if (state !== undefined && !filter) throw notFound();
  const [endpoint, history, log, pinged] = await Promise.all([
    requireEndpoint(page),
    loadDeliveryHistory(db, actor, id, chartsBegin(page.now)),
    listDeliveries(db, actor, id, {
      limit: deliveriesPerPage,
      before: before === undefined ? undefined : parsePathNumber(before),
      state: filter === 'failed' ? filter : filter && DeliveryState[filter],
      event: undefined,
      during: undefined,
    }),
    page.query('done') === 'pinged' ? shownPing.take(page) : undefined,
  ]);
  const [apps, refusedApp] = await Promise.all([
    loadEndpointAppNames(page, [endpoint]),
    findRefusedApp(page, endpoint),
  ]);
  return { endpoint, refusedApp, apps, history, log, filter, before, pinged };
}

/** The results of a form that the page can show. */
const webhookFlashes = [
  'paused',
  'resumed',
  'edited',
  'rotated',
  'trying',
  'triedTooSoon',
] as const;

interface WebhookActions {
  form: FormProps;
  /** The app that may not receive its events, so that nobody can resume it. */
  refusedApp: RefusedApp | undefined;
  editHref: string;
  rotateHref: string;
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
  /** The outcome of the ping that the form sent, or why it sent none. */
  ping: PingOutcome | undefined;
}

/** One webhook: its health, its actions and its delivery log. */
const WebhookPage = ({ dashboard, webhook, store, flash, ...props }: WebhookPageProps) => {
  const { language } = dashboard.layout;
  const { webhooks: t, deliveries: log } = messagesFor(language);
  const format = { language, zone: store.zone, now: props.now };
  const isActive = webhook.state === 'active' || webhook.state === 'failing';
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
      <FlashMessage
        text={
          flash &&
          { ...t.flash, ...log.tried }[flash].replace('{count}', () =>
            countIn('held', props.history).toLocaleString(language),
          )
        }
        isProblem={flash === 'triedTooSoon'}
      />
      {props.ping !== undefined && <PingResult outcome={props.ping} {...{ isActive, language }} />}
      <p class="muted">
        <bdi>{store.name}</bdi> ({store.alias})
      </p>
      <div class="card">
        <WebhookDetails
          {...{ webhook }}
          {...format}
          canTry={props.actions !== undefined && countIn('open', props.history) > 0}
        />
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
        <WebhookActionBar
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
  const time = <FormattedTime {...{ language, zone }} at={until} />;
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

/** The actions of a manager: the likely next one, and the others in a menu. */
const WebhookActionBar = ({
  form,
  refusedApp,
  isActive,
  isSecretChanging,
  language,
  ...hrefs
}: WebhookActions & { isActive: boolean; isSecretChanging: boolean; language: Language }) => {
  const { webhooks: t, webhookForms: forms } = messagesFor(language);
  const pingHint = { id: 'ping-hint', text: t.ping.lead };
  const ping = (
    <button
      class={isActive && !isSecretChanging ? undefined : 'plain'}
      name="action"
      value="ping"
      aria-describedby={pingHint.id}
    >
      {t.ping.submit}
    </button>
  );
  return (
    <div>
      {refusedApp && <ResumeRefusal app={refusedApp} language={language} />}
      <form method="post" action={form.action} id={tryFormId}>
        <FormTokenInput formToken={form.formToken} />
        <div class="actions">
          {isActive
            ? ping
            : !refusedApp && (
                <a class="button" href={hrefs.resumeHref}>
                  {t.resume.title}
                </a>
              )}
          <a class="button plain" href={hrefs.editHref}>
            {forms.edit}
          </a>
          <ActionMenu
            {...{ language }}
            actions={[
              !isActive && { control: ping, hint: pingHint },
              !isSecretChanging && {
                control: (
                  <a class="button plain" href={hrefs.rotateHref}>
                    {forms.rotate.title}
                  </a>
                ),
              },
              isActive && {
                control: (
                  <button class="plain" name="action" value="pause" aria-describedby="pause-hint">
                    {t.pause.submit}
                  </button>
                ),
                hint: { id: 'pause-hint', text: t.pause.lead },
              },
              {
                control: (
                  <a class="button danger" href={hrefs.deleteHref}>
                    {forms.remove.title}
                  </a>
                ),
              },
            ]}
          />
        </div>
        {isActive && (
          <p class="muted measure" id={pingHint.id}>
            {pingHint.text}
          </p>
        )}
      </form>
    </div>
  );
};

/** The outcome of a ping, at the top of the page. */
const PingResult = ({
  outcome,
  isActive,
  language,
}: {
  outcome: PingOutcome;
  isActive: boolean;
  language: Language;
}) => {
  const { ping: t } = messagesFor(language).webhooks;
  const isSuccess = typeof outcome === 'object' && outcome.error === null;
  const text = !isSuccess ? t.failed : isActive ? `${t.delivered} ${t.released}` : t.delivered;
  return (
    <FlashMessage
      isProblem={!isSuccess}
      text={
        typeof outcome === 'string'
          ? t[outcome]
          : text.replace('{answer}', () => formatResult(outcome, language))
      }
    />
  );
};

/** Counts the deliveries of the last 30 days in a state. */
const countIn = (wanted: 'held' | 'open', history: WebhookPageProps['history']) =>
  (history?.hours ?? []).reduce(
    (sum, { state, count }) => sum + (state === DeliveryState[wanted] ? count : 0),
    0,
  );
