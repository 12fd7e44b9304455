import { storePaths, webhookPaths } from '../../base/page-paths.ts';
import type { AppIdentity } from '../../data/directory/apps.ts';
import { EndpointStatus, DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import { endpointStateOf } from '../../webhooks/endpoints/endpoint-state.ts';
import type { MerchantEndpoint } from '../../webhooks/endpoints/list-endpoints.ts';
import { calculateNextAttempt, type LoggedDelivery } from '../../webhooks/log/list-deliveries.ts';
import type { DeliveryStateName, DeliveryView } from './delivery-list.tsx';
import type { WebhookView } from './webhook-details.tsx';

interface ViewContext {
  store: { alias: string };
  /** The name of the service in the activity of a store, which names no operators. */
  service: string;
  /** Epoch milliseconds. */
  now: number;
  isUrlShown?: boolean;
}

/**
 * Builds the view of a webhook. It shows the host of the URL, and the rest only on request, since it may hold a
 * secret.
 */
export function toWebhookView(
  endpoint: MerchantEndpoint,
  appNames: ReadonlyMap<string, AppIdentity>,
  { store, service, now, isUrlShown = false }: ViewContext,
): WebhookView {
  const {
    name,
    url,
    events,
    ordered,
    duplicate,
    lastSuccessAt,
    failingSince,
    nextAttemptAt,
    clientId,
    createdAt,
    rotation,
    recent,
  } = endpoint;
  const isSending = endpoint.status === EndpointStatus.active && nextAttemptAt !== null;
  return {
    name,
    host: new URL(url).host,
    url: isUrlShown ? url : undefined,
    events,
    ordered,
    duplicate: duplicate && {
      name: duplicate.name,
      href: webhookPaths.details(store.alias, duplicate.id),
    },
    state: endpointStateOf(endpoint),
    lastSuccessAt,
    failingSince,
    nextAttemptAt: !isSending ? null : nextAttemptAt <= now ? 'soon' : nextAttemptAt,
    creator:
      clientId === null
        ? creatorOf(endpoint, { store, service })
        : { kind: 'app', name: appNames.get(clientId)?.name ?? clientId },
    rotation:
      rotation.state === 'single' || rotation.until === null
        ? undefined
        : { state: rotation.state, until: rotation.until },
    createdAt,
    recent,
    notices: endpoint.notices,
  };
}

/** The person or program that created a webhook, with a link to what they did. */
function creatorOf(
  { creator }: MerchantEndpoint,
  { store, service }: Pick<ViewContext, 'store' | 'service'>,
): WebhookView['creator'] {
  if (creator === null) return null;
  const { kind, id, name } = creator;
  const query = new URLSearchParams({ actor_kind: kind, actor_id: id });
  return {
    kind: kind === 'api_key' ? 'api_key' : 'user',
    name: kind === 'operator' || kind === 'system' ? service : name,
    href: `${storePaths.activity(store.alias)}?${query.toString()}`,
  };
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
  // A time of its own is that of a request which sends it at this moment, unless it failed.
  const isWaiting = next !== null && next > now && delivery.due_at === 0;
  return {
    seq,
    event,
    // An open delivery with a result failed at its last attempt.
    state:
      next !== null && error !== null
        ? 'retrying'
        : isWaiting
          ? 'waiting'
          : stateNameOf(delivery.state),
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
