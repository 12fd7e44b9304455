import { listing } from '../../base/codecs/listing/listing.ts';
import {
  eventMeanings,
  specifiedEventNames,
  withSortedEvents,
} from '../../data/grants/event-catalogue.ts';
import { webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data, dataList, dataWithWarning, emptyObject, page } from '../../http/replies.ts';
import { deleteEndpoint } from '../endpoints/delete-endpoint.ts';
import { duplicateExtras } from '../endpoints/duplicates.ts';
import { subscriptionExtras, isVisibleTo } from '../endpoints/endpoint-access.ts';
import { createWebhook, scopesOfEvents, updateWebhook, validateDestination } from './commands.ts';
import { WebhookChanges, WebhookRequest } from './requests.ts';
import { CreatedWebhookSchema, EventDescriptionSchema, WebhookSchema } from './schema.ts';

const webhookList = listing({
  sort: ['name', 'active', 'url'],
  search: { name: 'text', url: 'code', active: 'bool' },
});

const shownExtras = { ...subscriptionExtras, ...duplicateExtras };

/** The warning of an answer that shows a duplicate. */
const warnOfDuplicate = ({ duplicate_of: id }: { duplicate_of: number | null }) =>
  id === null
    ? undefined
    : `Duplicate of webhook ${id}: events that both have are sent to this address twice`;

export const webhookOperations = [
  operation({
    id: 'listWebhookEvents',
    route: 'GET /{alias}/webhooks/events',
    access: 'signed-in',
    reply: dataList(EventDescriptionSchema),
    errors: [],
    run: () =>
      Promise.resolve(
        specifiedEventNames.map((name) => ({ name, description: eventMeanings[name] })),
      ),
  }),
  operation({
    id: 'listWebhooks',
    route: 'GET /{alias}/webhooks',
    access: 'webhooks.read',
    query: webhookList,
    reply: page(WebhookSchema),
    errors: [],
    run: async ({ db, query, principal }) => {
      const where = isVisibleTo(principal);
      const found = await db.page(webhookEndpoints, query, { where, extras: shownExtras });
      return { ...found, rows: found.rows.map(withSortedEvents) };
    },
  }),
  operation({
    id: 'createWebhook',
    route: 'POST /{alias}/webhooks',
    access: 'webhooks.write',
    body: WebhookRequest,
    validateAsync: validateDestination,
    bodyScopes: scopesOfEvents,
    reply: dataWithWarning(data(201, CreatedWebhookSchema), warnOfDuplicate),
    errors: [],
    run: createWebhook,
  }),
  operation({
    id: 'updateOrderWebhook',
    route: 'PUT /{alias}/orders/webhooks/{id}',
    access: 'webhooks.write',
    body: WebhookChanges,
    validateAsync: validateDestination,
    bodyScopes: scopesOfEvents,
    reply: dataWithWarning(data(200, WebhookSchema), warnOfDuplicate),
    errors: [],
    run: updateWebhook,
  }),
  operation({
    id: 'deleteOrderWebhook',
    route: 'DELETE /{alias}/orders/webhooks/{id}',
    access: 'webhooks.write',
    reply: emptyObject(),
    errors: [],
    run: ({ db, ids, principal }) => deleteEndpoint(db, principal, ids.id),
  }),
  operation({
    id: 'showWebhook',
    route: 'GET /{alias}/webhooks/{id}',
    access: 'webhooks.read',
    reply: data(200, WebhookSchema),
    errors: [],
    run: async ({ db, ids, principal }) => {
      const where = isVisibleTo(principal);
      const row = await db.find(webhookEndpoints, ids.id, shownExtras, where);
      return row && withSortedEvents(row);
    },
  }),
  operation({
    id: 'updateWebhook',
    route: 'PUT /{alias}/webhooks/{id}',
    access: 'webhooks.write',
    body: WebhookChanges,
    validateAsync: validateDestination,
    bodyScopes: scopesOfEvents,
    reply: dataWithWarning(data(200, WebhookSchema), warnOfDuplicate),
    errors: [],
    run: updateWebhook,
  }),
  operation({
    id: 'deleteWebhook',
    route: 'DELETE /{alias}/webhooks/{id}',
    access: 'webhooks.write',
    reply: emptyObject(),
    errors: [],
    run: ({ db, ids, principal }) => deleteEndpoint(db, principal, ids.id),
  }),
];

/* @__PURE__ */ explainOperations({
  listWebhookEvents:
    'The list is fixed. A webhook can also subscribe to catalog.import_completed, an additional event that is not in it.',
  listWebhooks:
    'An app sees and changes only its own webhooks; an API key (User-Token and User-Secret-Key) reaches all webhooks of the store. A webhook of an app receives an event only while one connected grant of the app in the store holds every scope of the event; else the event is not recorded for it. When a grant ends, webhooks with an event that no other grant covers are paused.',
  createWebhook:
    'Only this response contains secret_key, the signing secret. An app needs the read scope of each event, and customers.read for order.created, order.paid, order.status.updated, cart.reminder and transaction.payment.refused: else 403. events also takes catalog.import_completed, an additional event that GET /{alias}/webhooks/events leaves out. A store has at most 20 webhooks. With active false it starts paused: deliveries are held and nothing is sent. ordered true sends one event at a time, in order. If another webhook of yours sends one of these events to this address already, this one is made all the same, and duplicate_of and X-Warning name the other.',
  updateOrderWebhook:
    'Fields that are not sent keep their values. active false holds deliveries (up to six may still be sent, on a busy webhook some tens); active true releases them, some each minute. A webhook that was disabled automatically is enabled by active true or by a new url. It must then answer a ping with 2xx, else 422 and nothing changes; it receives what it missed in the last 72 hours. An active webhook of an app needs the scopes of all its events: else 403 and nothing changes, but events may leave out what is not allowed. ordered true holds from the next run on, within seconds: up to six deliveries that are under way (on a busy webhook some tens) may still arrive in any order, and those that wait for a retry become due. A webhook whose app is no longer connected to the store stays unchanged: 422. duplicate_of and X-Warning name another webhook of yours that sends one of the events to the same address.',
  updateWebhook: 'Same as PUT /{alias}/orders/webhooks/{id}.',
  deleteWebhook: 'Same as DELETE /{alias}/orders/webhooks/{id}.',
});
