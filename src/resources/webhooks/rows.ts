import { seal } from '../../crypto/seal.ts';
import { webhookEndpoints } from '../../db/schema/webhooks.ts';
import { eventNames, meanings, readScope, type EventName } from '../../events/catalogue.ts';
import { realPorts } from '../../events/clock.ts';
import { checkDestination } from '../../events/destination-check.ts';
import { subscribed, visible } from '../../events/endpoint-access.ts';
import { changeEndpoint, pausing } from '../../events/endpoint-changes.ts';
import { createEndpoint, deleteEndpoint } from '../../events/endpoints.ts';
import { moveEndpoint } from '../../events/move-endpoint.ts';
import { resumeEndpoint } from '../../events/resume.ts';
import { newSecret } from '../../events/signature.ts';
import { operation, type Input } from '../../http/operation.ts';
import { data, list, nothing, page } from '../../http/replies.ts';
import { outOfScope } from '../../problem.ts';
import type { Settings } from '../../settings.ts';
import { listing } from '../../wire/listing.ts';
import { inOrder } from '../../events/in-order.ts';
import { WebhookChanges, WebhookRequest } from './requests.ts';
import { CreatedWebhook, EventDescription, Webhook } from './shapes.ts';

const webhookList = listing({
  sort: ['name', 'active', 'url'],
  search: { name: 'text', url: 'text', active: 'bool' },
});

/** What speaks against the URL as a destination; it is told together with what else is wrong. */
async function inspect({ url }: Readonly<Record<string, unknown>>, settings: Settings) {
  if (typeof url !== 'string') return {};
  const reason = await checkDestination(url, settings, realPorts);
  return reason === undefined ? {} : { url: [reason] };
}

/** An app needs the read scope of what it wants to hear. */
function mustHear(principal: Principal, events: readonly EventName[] = []) {
  for (const scope of events.map(readScope)) {
    if (!principal.may(scope)) throw outOfScope(scope);
  }
}

type OneWebhook = Input<'PUT /{alias}/webhooks/{id}', unknown, WebhookChanges>;
type Principal = OneWebhook['principal'];

async function update(input: OneWebhook) {
  mustHear(input.principal, input.body.events);
  const row = await changed(input);
  return row && inOrder(row);
}

function changed({ db, ids: { id }, body, principal, settings }: OneWebhook) {
  const { active, ...changes } = body;
  const outside = { settings, ports: realPorts };
  if (active) return resumeEndpoint(db, principal, id, { action: 'enabled', changes }, outside);
  const { url, ...rest } = changes;
  if (active === undefined && url !== undefined) {
    return moveEndpoint(db, principal, id, { ...rest, url }, outside);
  }
  const also = active === false ? pausing(db, principal, id) : [];
  return changeEndpoint(db, principal, id, changes, also);
}

const remove = ({ db, ids, principal }: Pick<OneWebhook, 'db' | 'ids' | 'principal'>) =>
  deleteEndpoint(db, principal, ids.id);

export const webhookOperations = [
  operation({
    id: 'listWebhookEvents',
    route: 'GET /{alias}/webhooks/events',
    access: 'signed-in',
    reply: list(EventDescription),
    rejects: [],
    run: () => Promise.resolve(eventNames.map((name) => ({ name, description: meanings[name] }))),
  }),
  operation({
    id: 'listWebhooks',
    route: 'GET /{alias}/webhooks',
    access: 'webhooks.read',
    query: webhookList,
    reply: page(Webhook),
    rejects: [],
    note: 'An app sees and changes only the webhooks that it made; a header pair sees all of the store. When the last grant of an app in the store ends, revoked or run out, the webhooks that it made are paused.',
    run: async ({ db, query, principal }) => {
      const where = visible(principal);
      const found = await db.page(webhookEndpoints, query, { where, extras: subscribed });
      return { ...found, rows: found.rows.map(inOrder) };
    },
  }),
  operation({
    id: 'createWebhook',
    route: 'POST /{alias}/webhooks',
    access: 'webhooks.write',
    body: WebhookRequest,
    inspect,
    reply: data(201, CreatedWebhook),
    rejects: [],
    note: 'The answer carries secret_key, the signing secret, this once. A store has at most 20 webhooks.',
    run: async ({ db, body, principal, settings }) => {
      mustHear(principal, body.events);
      const secret_key = newSecret();
      const secret = await seal(settings.sealingKey, secret_key, `webhook-secret:${db.store.id}`);
      const row = await createEndpoint(db, principal, { ...body, secret });
      return row && inOrder({ ...row, events: body.events, secret_key });
    },
  }),
  operation({
    id: 'updateOrderWebhook',
    route: 'PUT /{alias}/orders/webhooks/{id}',
    access: 'webhooks.write',
    body: WebhookChanges,
    inspect,
    reply: data(200, Webhook),
    rejects: [],
    note: 'What is not sent stays. active false holds deliveries (up to six may still go out, on a busy webhook some tens), true lets them go, some each minute. A webhook that was disabled automatically comes back by active true or by a new url, must then answer a ping with 2xx (else 422 and nothing changes), and gets what it missed in the last 72 hours. One whose app is not connected to the store any more stays as it is: 422.',
    run: update,
  }),
  operation({
    id: 'deleteOrderWebhook',
    route: 'DELETE /{alias}/orders/webhooks/{id}',
    access: 'webhooks.write',
    reply: nothing(),
    rejects: [],
    run: remove,
  }),
  operation({
    id: 'showWebhook',
    route: 'GET /{alias}/webhooks/{id}',
    access: 'webhooks.read',
    reply: data(200, Webhook),
    rejects: [],
    run: async ({ db, ids, principal }) => {
      const where = visible(principal);
      const row = await db.find(webhookEndpoints, ids.id, subscribed, where);
      return row && inOrder(row);
    },
  }),
  operation({
    id: 'updateWebhook',
    route: 'PUT /{alias}/webhooks/{id}',
    access: 'webhooks.write',
    body: WebhookChanges,
    inspect,
    reply: data(200, Webhook),
    rejects: [],
    note: 'The same as PUT /{alias}/orders/webhooks/{id}.',
    run: update,
  }),
  operation({
    id: 'deleteWebhook',
    route: 'DELETE /{alias}/webhooks/{id}',
    access: 'webhooks.write',
    reply: nothing(),
    rejects: [],
    note: 'The same as DELETE /{alias}/orders/webhooks/{id}.',
    run: remove,
  }),
];
