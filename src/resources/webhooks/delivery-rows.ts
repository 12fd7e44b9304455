import { deliveryDetails } from '../../events/delivery-details.ts';
import { deliveryLog, nextAttemptAt, type LoggedDelivery } from '../../events/delivery-log.ts';
import { deliveryStats } from '../../events/delivery-stats.ts';
import { cursorPage } from '../../http/cursor-page.ts';
import { operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import type { Condition } from '../../wire/condition.ts';
import { Delivery, DeliveryDetails, deliveryStates, DeliveryStats } from './delivery-shapes.ts';
import { logQuery } from './log-query.ts';

/** A delivery with its words for what the database numbers. */
const shown = (delivery: LoggedDelivery) => ({
  ...delivery,
  state: deliveryStates[delivery.state] ?? 'open',
  trigger: delivery.trigger === 'replay' ? ('replay' as const) : ('event' as const),
  next_attempt_at: nextAttemptAt(delivery),
});

const daysOf = (date: Condition | undefined) =>
  date && 'from' in date ? { from: date.from, until: date.until } : undefined;

export const deliveryOperations = [
  operation({
    id: 'listWebhookDeliveries',
    route: 'GET /{alias}/webhooks/{id}/deliveries',
    access: 'webhooks.read',
    query: logQuery,
    reply: cursorPage(Delivery),
    rejects: [],
    note: 'Newest first, and paged by cursor: send meta.cursor.next as cursor until it is "". With a filter a page looks at up to 1,000 deliveries, so it may hold few or none while there is a next one. The log of a deleted webhook stays for its time.',
    run: async ({ db, ids, query, principal }) => {
      const { limit, cursor, state, event, date } = query;
      const found = await deliveryLog(db, principal, ids.id, {
        limit,
        before: cursor,
        state: state && deliveryStates.indexOf(state),
        event,
        during: daysOf(date),
      });
      return found && { ...found, rows: found.rows.map(shown) };
    },
  }),
  operation({
    id: 'showWebhookDelivery',
    route: 'GET /{alias}/webhooks/{id}/deliveries/{seq}',
    access: 'webhooks.read',
    reply: data(200, DeliveryDetails),
    rejects: [],
    note: 'seq is the number in the X-Service-Sequence header. log has every try with the beginning of its answer; of a first try that succeeded it has the status alone.',
    run: async ({ db, ids, principal }) => {
      const found = await deliveryDetails(db, principal, ids.id, ids.seq);
      return found && { ...shown(found), body: found.body, log: { data: found.log } };
    },
  }),
  operation({
    id: 'showWebhookStats',
    route: 'GET /{alias}/webhooks/{id}/stats',
    access: 'webhooks.read',
    reply: data(200, DeliveryStats),
    rejects: [],
    note: 'About the newest 1,000 deliveries (sampled says how many); pending counts all that are open, up to 10,000. lag_ms is from the event to its 2xx.',
    run: ({ db, ids, principal }) => deliveryStats(db, principal, ids.id),
  }),
];
