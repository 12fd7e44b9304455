import { seal } from '../../crypto/seal.ts';
import { webhookEndpoints } from '../../db/schema/webhooks.ts';
import { eventNames, meanings, readScope, type EventName } from '../../events/catalogue.ts';
import { refusal } from '../../events/destination.ts';
import { changeEndpoint } from '../../events/endpoint-changes.ts';
import { createEndpoint, deleteEndpoint, subscribed, visible } from '../../events/endpoints.ts';
import { newSecret } from '../../events/signature.ts';
import { operation, type Input } from '../../http/operation.ts';
import { data, list, nothing, page } from '../../http/replies.ts';
import { InvalidBody, outOfScope } from '../../problem.ts';
import { listing } from '../../wire/listing.ts';
import { WebhookChanges, WebhookRequest } from './requests.ts';
import { CreatedWebhook, EventDescription, Webhook } from './shapes.ts';

const webhookList = listing({
  sort: ['name', 'active', 'url'],
  search: { name: 'text', url: 'text', active: 'bool' },
});

/** A webhook's events in the order of the specification. */
const inOrder = <W extends { events: readonly EventName[] }>(webhook: W) => ({
  ...webhook,
  events: eventNames.filter((name) => webhook.events.includes(name)),
});

type Caller = Pick<Input<'GET /{alias}', unknown, unknown>, 'principal' | 'settings'>;

/** A URL may be refused as a destination, and an app needs the read scope of what it wants to hear. */
function check({ principal, settings }: Caller, body: { url?: string; events?: EventName[] }) {
  for (const scope of (body.events ?? []).map(readScope)) {
    if (!principal.may(scope)) throw outOfScope(scope);
  }
  const reason = body.url && refusal(body.url, { allowLocal: settings.allowLocalReceivers });
  if (reason) throw new InvalidBody({ url: [reason] });
}

type OneWebhook = Input<'PUT /{alias}/webhooks/{id}', unknown, WebhookChanges>;

async function update(input: OneWebhook) {
  const { db, ids, body, principal } = input;
  check(input, body);
  const row = await changeEndpoint(db, principal.clientId, ids.id, body);
  return row && inOrder(row);
}

const remove = ({ db, ids, principal }: Pick<OneWebhook, 'db' | 'ids' | 'principal'>) =>
  deleteEndpoint(db, principal.clientId, ids.id);

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
    note: 'An app sees and changes only the webhooks that it made; a header pair sees all of the store.',
    run: async ({ db, query, principal }) => {
      const where = visible(principal.clientId);
      const found = await db.page(webhookEndpoints, query, { where, extras: subscribed });
      return { ...found, rows: found.rows.map(inOrder) };
    },
  }),
  operation({
    id: 'createWebhook',
    route: 'POST /{alias}/webhooks',
    access: 'webhooks.write',
    body: WebhookRequest,
    reply: data(201, CreatedWebhook),
    rejects: [],
    note: 'The answer carries secret_key, the signing secret, this once. A store has at most 20 webhooks.',
    run: async (input) => {
      const { db, body, principal, settings } = input;
      check(input, body);
      const secret_key = newSecret();
      const secret = await seal(settings.sealingKey, secret_key, `webhook-secret:${db.store.id}`);
      const row = await createEndpoint(db, { ...body, secret, clientId: principal.clientId });
      return row && inOrder({ ...row, events: body.events, secret_key });
    },
  }),
  operation({
    id: 'updateOrderWebhook',
    route: 'PUT /{alias}/orders/webhooks/{id}',
    access: 'webhooks.write',
    body: WebhookChanges,
    reply: data(200, Webhook),
    rejects: [],
    note: 'What is not sent stays. active false holds deliveries, true lets them go.',
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
      const where = visible(principal.clientId);
      const row = await db.find(webhookEndpoints, ids.id, subscribed, where);
      return row && inOrder(row);
    },
  }),
  operation({
    id: 'updateWebhook',
    route: 'PUT /{alias}/webhooks/{id}',
    access: 'webhooks.write',
    body: WebhookChanges,
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
