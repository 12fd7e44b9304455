import type { AppIdentity } from '../../data/directory/apps.ts';
import { NoticeKind } from '../../data/schema/store/webhook-operations-tables.ts';
import { EndpointStatus, DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import type { MerchantEndpoint } from '../../webhooks/endpoints/list-endpoints.ts';
import { calculateNextAttempt, type LoggedDelivery } from '../../webhooks/log/list-deliveries.ts';
import type { DeliveryStateName, DeliveryView } from './delivery-list.tsx';
import type { WebhookView, WebhookStateName } from './webhook-details.tsx';

/**
 * Builds the view of a webhook. It shows the host of the URL, and the rest only on request, since it may hold a
 * secret.
 */
export function toWebhookView(
  endpoint: MerchantEndpoint,
  appNames: ReadonlyMap<string, AppIdentity>,
  { now, isUrlShown = false }: { now: number; isUrlShown?: boolean },
): WebhookView {
  const { name, url, events, lastSuccessAt, failingSince, nextAttemptAt, clientId, createdAt } =
    endpoint;
  const isSending = endpoint.status === EndpointStatus.active && nextAttemptAt !== null;
  return {
    name,
    host: new URL(url).host,
    url: isUrlShown ? url : undefined,
    events,
    state: webhookStateOf(endpoint),
    lastSuccessAt,
    failingSince,
    nextAttemptAt: !isSending ? null : nextAttemptAt <= now ? 'soon' : nextAttemptAt,
    appName: clientId === null ? null : (appNames.get(clientId)?.name ?? clientId),
    createdAt,
    notices: endpoint.notices,
  };
}

function webhookStateOf({ status, failingSince, notices }: MerchantEndpoint): WebhookStateName {
  if (status === EndpointStatus.paused) return 'paused';
  if (status === EndpointStatus.autoDisabled) {
    const latest = notices.find(
      ({ kind }) => kind === NoticeKind.gone || kind === NoticeKind.disabled,
    );
    return latest?.kind === NoticeKind.gone ? 'gone' : 'disabled';
  }
  return failingSince === null ? 'active' : 'failing';
}

/** Builds the view of a delivery. */
export function toDeliveryView(delivery: LoggedDelivery, now: number): DeliveryView {
  const {
    seq,
    event,
    attempts,
    response_status: responseStatus,
    error,
    duration_ms: durationMs,
    created_at: at,
  } = delivery;
  const next = calculateNextAttempt(delivery);
  return {
    seq,
    event,
    // An open delivery with a result failed at its last attempt.
    state: next !== null && error !== null ? 'retrying' : stateNameOf(delivery.state),
    attempts,
    responseStatus,
    error,
    durationMs,
    createdAt: at,
    nextAttemptAt: next === null ? null : next <= now ? 'soon' : next,
    replayOf: delivery.replay_of,
  };
}

const stateNames = Object.entries(DeliveryState) as [DeliveryStateName, number][];

const stateNameOf = (state: number): DeliveryStateName =>
  stateNames.find(([, number]) => number === state)?.[0] ?? 'open';
