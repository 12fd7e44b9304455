import type { NamedApp } from '../../db/app-names.ts';
import { NoticeKind } from '../../db/schema/webhook-alarms.ts';
import { EndpointStatus } from '../../db/schema/webhooks.ts';
import type { MerchantEndpoint } from '../../events/endpoints-of-stores.ts';
import type { ShownWebhook, WebhookStateName } from '../../pages/webhook-facts.tsx';

/** A webhook as a page shows it. Of its URL the host alone: the rest may be a secret. */
export function shownWebhook(
  endpoint: MerchantEndpoint,
  names: ReadonlyMap<string, NamedApp>,
  now: number,
): ShownWebhook {
  const { name, url, events, lastOkAt, failingSince, wakeAt, clientId, createdAt } = endpoint;
  const isSending = endpoint.status === EndpointStatus.active && wakeAt !== null;
  return {
    name,
    host: new URL(url).host,
    events,
    state: stateOf(endpoint),
    lastOkAt,
    failingSince,
    nextAt: !isSending ? null : wakeAt <= now ? 'soon' : wakeAt,
    app: clientId === null ? null : (names.get(clientId)?.name ?? clientId),
    createdAt,
    notices: endpoint.notices,
  };
}

function stateOf({ status, failingSince, notices }: MerchantEndpoint): WebhookStateName {
  if (status === EndpointStatus.paused) return 'paused';
  if (status === EndpointStatus.autoDisabled) {
    const last = notices.find(
      ({ kind }) => kind === NoticeKind.gone || kind === NoticeKind.disabled,
    );
    return last?.kind === NoticeKind.gone ? 'gone' : 'disabled';
  }
  return failingSince === null ? 'active' : 'failing';
}
