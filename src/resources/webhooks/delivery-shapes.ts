import * as z from 'zod';
import { eventNames } from '../../events/catalogue.ts';
import { dateTime } from '../../wire/datetime.ts';

/** The states of a delivery, in the order of their numbers in the database. */
export const deliveryStates = ['open', 'delivered', 'gave_up', 'held', 'cancelled'] as const;

/** A delivery as the log shows it. */
export const Delivery = z
  .object({
    seq: z.int(),
    event_id: z.string(),
    event: z.enum(eventNames).nullable(),
    state: z.enum(deliveryStates),
    trigger: z.enum(['event', 'replay']),
    replay_of: z.int().nullable(),
    attempts: z.int(),
    code: z.int().nullable(),
    error: z.string().nullable(),
    duration_ms: z.int().nullable(),
    next_attempt_at: dateTime.nullable(),
    created_at: dateTime,
    done_at: dateTime.nullable(),
  })
  .meta({ id: 'Delivery', description: 'One event for one webhook.' });

const Attempt = z
  .object({
    number: z.int(),
    at: dateTime,
    code: z.int().nullable(),
    error: z.string().nullable(),
    duration_ms: z.int(),
    host: z.string().nullable(),
    key_id: z.string().nullable(),
    response_headers: z.record(z.string(), z.string()).nullable(),
    response_body: z
      .object({
        text: z.string(),
        encoding: z.enum(['utf-8', 'base64']),
        truncated: z.boolean(),
      })
      .nullable(),
  })
  .meta({
    id: 'DeliveryAttempt',
    description: 'One try. key_id tells secrets apart; the body is its first 2 KB.',
  });

/** The same with the text that is signed and sent, and every try. */
export const DeliveryDetails = Delivery.extend({
  body: z.string().nullable(),
  log: z.object({ data: z.array(Attempt) }),
}).meta({
  id: 'DeliveryDetails',
  description: 'A delivery with its tries; body is null once it is kept no longer.',
});

const Percentiles = z.object({ p50: z.int().nullable(), p95: z.int().nullable() });

/** How a webhook is doing. */
export const DeliveryStats = z
  .object({
    sampled: z.int(),
    states: z.object({
      open: z.int(),
      delivered: z.int(),
      gave_up: z.int(),
      held: z.int(),
      cancelled: z.int(),
    }),
    success_rate: z.number().nullable(),
    duration_ms: Percentiles,
    lag_ms: Percentiles,
    pending: z.int(),
    oldest_pending_seconds: z.int().nullable(),
  })
  .meta({ id: 'DeliveryStats' });
