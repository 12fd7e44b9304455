import * as z from 'zod';
import { notFound } from '../../base/errors.ts';
import { browserPaths, webhookPaths, withQueryParameter } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import { ActionMenu } from '../../web/components/action-menu.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { FormTokenInput, type FormProps } from '../../web/components/form-fields.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { sentText } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import { parsePathNumber, type SignedInPage } from '../../web/page.ts';
import { endpointStateOf } from '../../webhooks/endpoints/endpoint-state.ts';
import type { MerchantEndpoint } from '../../webhooks/endpoints/list-endpoints.ts';
import { listDeliveries } from '../../webhooks/log/list-deliveries.ts';
import { loadDeliveryHistory } from '../../webhooks/log/stats.ts';
import { chartsBegin, DeliveryCharts } from './delivery-charts.tsx';
import { deliveryFilters, DeliveryFilterNav, DeliveryList } from './delivery-list.tsx';
import { loadEndpointAppNames, openOwnWebhook, requireEndpoint } from './own-webhook.ts';
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
import { WebhookDetails, WebhookNoticeList } from './webhook-details.tsx';
import { formatResult, timeFormatOf, tryFormId } from './webhook-texts.tsx';

const deliveriesPerPage = 20;

/**
 * The actions of the form. Others have pages of their own, since they ask something or end
 * something.
 */
const webhookActions = ['ping', 'pause', 'tryNow'] as const;

/**
 * `/account/webhooks/{alias}/{id}`: a webhook's health, its deliveries over time, and its delivery
 * log, newest first. Its form sends a ping, whose outcome the page shows next (429 within ten
 * seconds of the store's last). It also pauses the webhook, or makes its next attempt now.
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
  render: (page, loaded, form, refused) => <WebhookPage {...{ page, form, refused }} {...loaded} />,
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

/** One webhook: its health, its actions and its delivery log. */
const WebhookPage = ({
  page,
  form,
  refused,
  endpoint,
  refusedApp,
  apps,
  history,
  log,
  filter,
  before,
  pinged,
}: WebhookState & {
  page: SignedInPage;
  form: FormProps;
  /** The reason why the form sent no ping. */
  refused: PingOutcome | undefined;
}) => {
  const { language, messages, store, path } = page;
  const { webhooks: t, deliveries: texts } = messages;
  const { id, name } = endpoint;
  const isManager = includesRole(store.role, Role.manager);
  const filteredPath = withQueryParameter(path, 'state', filter);
  const flash = page.done(webhookFlashes);
  const ping = refused ?? (pinged?.id === id ? pinged.result : undefined);
  const deliveries = log?.rows ?? [];
  return (
    <DashboardLayout
      {...page.dashboard('webhooks', withQueryParameter(filteredPath, 'before', before))}
      title={name}
    >
      <p>
        <a class="target" href={browserPaths.webhooks}>
          {t.back}
        </a>
      </p>
      <h1>
        <UntrustedName {...{ name }} />
      </h1>
      <FlashMessage
        text={
          flash &&
          { ...t.flash, ...texts.tried }[flash].replace('{count}', () =>
            countIn('held', history).toLocaleString(language),
          )
        }
        isProblem={flash === 'triedTooSoon'}
      />
      {ping !== undefined && <PingResult outcome={ping} {...{ page, endpoint }} />}
      <p class="muted">
        <bdi>{store.name}</bdi> ({store.alias})
      </p>
      <div class="card">
        <WebhookDetails
          {...{ page, endpoint, apps }}
          canTry={isManager && countIn('open', history) > 0}
        />
      </div>
      <SecretChange {...{ page, endpoint }} />
      {isManager && <WebhookActionBar {...{ page, endpoint, refusedApp, form }} />}
      {history && <DeliveryCharts {...{ history }} {...timeFormatOf(page)} />}
      <h2>{t.notices}</h2>
      <WebhookNoticeList {...{ page, endpoint }} />
      <h2>{texts.title}</h2>
      <DeliveryFilterNav
        {...{ language }}
        current={filter}
        hrefOf={(state) => withQueryParameter(path, 'state', state)}
      />
      {deliveries.length === 0 ? (
        <p>{filter ? texts.noneInState : texts.none}</p>
      ) : (
        <DeliveryList {...{ page, deliveries }} />
      )}
      <p class="actions">
        {before !== undefined && (
          <a class="button plain" href={filteredPath}>
            {texts.newest}
          </a>
        )}
        {log?.next && (
          <a
            class="button plain"
            href={withQueryParameter(filteredPath, 'before', String(log.next))}
          >
            {texts.older}
          </a>
        )}
      </p>
    </DashboardLayout>
  );
};

const isSending = (endpoint: MerchantEndpoint) =>
  ['active', 'failing'].includes(endpointStateOf(endpoint));

const isSecretChanging = ({ rotation }: MerchantEndpoint) =>
  rotation.state !== 'single' && rotation.until !== null;

/** The change of the secret that is under way, with its next step for those who may take it. */
const SecretChange = ({
  page: { language, messages, store },
  endpoint,
}: {
  page: SignedInPage;
  endpoint: MerchantEndpoint;
}) => {
  const t = messages.webhookForms.rotate;
  const { state, until } = endpoint.rotation;
  if (state === 'single' || until === null) return null;
  const time = <FormattedTime {...{ language }} zone={store.zone} at={until} />;
  return (
    <div class="card">
      <h2>{t.underWayTitle}</h2>
      <p>
        <Interpolate text={t[state]} parts={{ time }} />
      </p>
      {state === 'overlap' && includesRole(store.role, Role.manager) && (
        <>
          <p>{t.finishLead}</p>
          <p class="actions">
            <a
              class={isSending(endpoint) ? 'button' : 'button plain'}
              href={webhookPaths.rotate(store.alias, endpoint.id)}
            >
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
  page: { language, messages, store },
  endpoint,
  refusedApp,
  form,
}: {
  page: SignedInPage;
  endpoint: MerchantEndpoint;
  /** The app that may not receive its events, so that nobody can resume it. */
  refusedApp: RefusedApp | undefined;
  form: FormProps;
}) => {
  const { webhooks: t, webhookForms: forms } = messages;
  const { alias } = store;
  const { id } = endpoint;
  const isActive = isSending(endpoint);
  const isChanging = isSecretChanging(endpoint);
  const pingHint = { id: 'ping-hint', text: t.ping.lead };
  const ping = (
    <button
      class={isActive && !isChanging ? undefined : 'plain'}
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
                <a class="button" href={webhookPaths.resume(alias, id)}>
                  {t.resume.title}
                </a>
              )}
          <a class="button plain" href={webhookPaths.edit(alias, id)}>
            {forms.edit}
          </a>
          <ActionMenu
            {...{ language }}
            actions={[
              !isActive && { control: ping, hint: pingHint },
              !isChanging && {
                control: (
                  <a class="button plain" href={webhookPaths.rotate(alias, id)}>
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
                  <a class="button danger" href={webhookPaths.delete(alias, id)}>
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
  page: { language, messages },
  endpoint,
  outcome,
}: {
  page: SignedInPage;
  endpoint: MerchantEndpoint;
  outcome: PingOutcome;
}) => {
  const { ping: t } = messages.webhooks;
  const isSuccess = typeof outcome === 'object' && outcome.error === null;
  const text = !isSuccess
    ? t.failed
    : isSending(endpoint)
      ? `${t.delivered} ${t.released}`
      : t.delivered;
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
const countIn = (wanted: 'held' | 'open', history: WebhookState['history']) =>
  (history?.hours ?? []).reduce(
    (sum, { state, count }) => sum + (state === DeliveryState[wanted] ? count : 0),
    0,
  );
