import * as z from 'zod';
import type { Condition } from '../../base/codecs/listing/field-types.ts';
import { parseDate } from '../../base/codecs/listing/parse-parameters.ts';
import { explainEnum } from '../../base/codecs/meaning.ts';
import { eventNames } from '../../data/grants/event-catalogue.ts';
import { cursorPage } from '../../http/cursor-replies.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import {
  cursorFields,
  cursorParameters,
  defineQuery,
  parsedWith,
} from '../../http/query-parameters.ts';
import { data } from '../../http/replies.ts';
import { defaultDeliveryDeps } from '../delivery/deps.ts';
import { sendHeldDelivery } from '../endpoints/send-held.ts';
import {
  findDelivery,
  type LoggedAttempt,
  type LoggedDeliveryDetails,
} from '../log/delivery-record.ts';
import {
  listDeliveries,
  calculateNextAttempt,
  type LoggedDelivery,
} from '../log/list-deliveries.ts';
import { loadDeliveryStats } from '../log/stats.ts';
import {
  DeliverySchema,
  DeliveryDetailsSchema,
  deliveryStateNames,
  DeliveryStatsSchema,
} from './delivery-schema.ts';

/** The values of `state` in the query. */
const stateFilters = [...deliveryStateNames, 'failed'] as const;

/** The query of the delivery log. */
const deliveryLogQuery = defineQuery(
  z.object({
    ...cursorFields,
    event: z.enum(eventNames, { error: `Must be one of ${eventNames.join(', ')}.` }).optional(),
    state: z.enum(stateFilters, { error: `Must be one of ${stateFilters.join(', ')}.` }).optional(),
    date: parsedWith((text) => parseDate(['created_at'], text)).optional(),
  }),
  [
    ...cursorParameters,
    {
      name: 'event',
      description: 'Deliveries that tell of this, such as order.paid; replays count as well.',
      schema: { type: 'string', enum: eventNames },
    },
    {
      name: 'state',
      description:
        'Only deliveries in this state; gave_up and held find what did not arrive, failed those whose last attempt failed.',
      schema: { type: 'string', enum: stateFilters },
    },
    {
      name: 'date',
      description:
        '"created_at:YYYY-MM-DD" or "created_at:YYYY-MM-DD|YYYY-MM-DD", days in the time zone of the store, both ends included.',
      schema: { type: 'string' },
    },
  ],
);

const serializeDelivery = (delivery: LoggedDelivery) => ({
  ...delivery,
  changed: delivery.changed?.split(',') ?? null,
  code: delivery.response_status,
  state: deliveryStateNames[delivery.state] ?? 'open',
  trigger: delivery.trigger === 'replay' ? ('replay' as const) : ('event' as const),
  next_attempt_at: calculateNextAttempt(delivery),
});

const serializeAttempt = (attempt: LoggedAttempt) => ({
  ...attempt,
  code: attempt.response_status,
});

const serializeDetails = (found: LoggedDeliveryDetails) => ({
  ...serializeDelivery(found),
  body: found.body,
  withheld: found.withheld,
  log: { data: found.attemptLog.map(serializeAttempt) },
});

const toDateRange = (date: Condition | undefined) =>
  date && 'from' in date ? { from: date.from, until: date.until } : undefined;

export const deliveryOperations = [
  operation({
    id: 'listWebhookDeliveries',
    route: 'GET /{alias}/webhooks/{id}/deliveries',
    access: 'webhooks.read',
    query: deliveryLogQuery,
    reply: cursorPage(DeliverySchema),
    errors: [],
    run: async ({ db, ids, query, principal }) => {
      const { limit, cursor, state, event, date } = query;
      const found = await listDeliveries(db, principal, ids.id, {
        limit,
        before: cursor,
        state: state === 'failed' ? state : state && deliveryStateNames.indexOf(state),
        event,
        during: toDateRange(date),
      });
      return found && { ...found, rows: found.rows.map(serializeDelivery) };
    },
  }),
  operation({
    id: 'showWebhookDelivery',
    route: 'GET /{alias}/webhooks/{id}/deliveries/{seq}',
    access: 'webhooks.read',
    reply: data(200, DeliveryDetailsSchema),
    errors: [],
    run: async ({ db, ids, principal }) => {
      const found = await findDelivery(db, principal, ids.id, ids.seq, principal.hasScope);
      return found && serializeDetails(found);
    },
  }),
  operation({
    id: 'sendWebhookDelivery',
    route: 'POST /{alias}/webhooks/{id}/deliveries/{seq}/send',
    access: 'webhooks.write',
    reply: data(200, DeliveryDetailsSchema),
    isSeveralSteps: true,
    errors: [404, 409, 410, 422],
    run: async ({ db, ids: { id, seq }, principal, settings }) => {
      const target = { id, seq, hasScope: principal.hasScope };
      const context = { settings, deps: defaultDeliveryDeps };
      const found = await sendHeldDelivery(db, principal, target, context);
      return found && serializeDetails(found);
    },
  }),
  operation({
    id: 'showWebhookStats',
    route: 'GET /{alias}/webhooks/{id}/stats',
    access: 'webhooks.read',
    reply: data(200, DeliveryStatsSchema),
    errors: [],
    run: ({ db, ids, principal }) => loadDeliveryStats(db, principal, ids.id),
  }),
];

/* @__PURE__ */ explainOperations({
  listWebhookDeliveries:
    'Newest first, paged by cursor: send meta.cursor.next as cursor until it is "". With a filter, a page scans up to 1,000 deliveries, so it may hold few or none although there is a next page. The log of a deleted webhook is kept for its usual time.',
  showWebhookDelivery:
    'seq is the number in the X-Service-Sequence header. log has every attempt with the beginning of its response; for a first attempt that succeeded it has only the status. body is null with withheld "scope" for an app without every scope of the event.',
  sendWebhookDelivery:
    'For a delivery with state held. It is sent at once under its own number, also while its webhook is paused or disabled, and the response shows the attempt. One that was accepted is not sent again when the webhook is resumed; any other stays held. 409 (not_held) for a delivery in another state, or that is being sent; 410 when its body is no longer stored; 422 when the url is not allowed; 403 for an event that the app of the webhook may not receive.',
  showWebhookStats:
    'Covers the newest 1,000 deliveries (sampled is their number). pending counts all open deliveries, up to 10,000. lag_ms is the time from an event to its 2xx.',
});

/* @__PURE__ */ explainEnum('DeliveryFilter', 'Which deliveries of the log are listed.', {
  open: 'Those that are being sent, or wait for their next attempt.',
  delivered: 'Those that your server answered with 2xx.',
  gave_up: 'Those whose attempts all failed.',
  held: 'Those that wait until the webhook, or the right of its app, is back.',
  cancelled: 'Those that will not be sent.',
  failed: 'Those whose last attempt failed, whether they are open, held or given up.',
});
