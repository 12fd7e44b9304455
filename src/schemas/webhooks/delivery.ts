import * as z from 'zod';
import { dateTime } from '../../codecs/time/date-time.ts';
import { eventNames } from '../../events/catalogue.ts';

/** Names of `DeliveryState`, indexed by its value. */
export const deliveryStateNames = ['open', 'delivered', 'gave_up', 'held', 'cancelled'] as const;

export const DeliverySchema = z
  .object({
    seq: z.int(),
    event_id: z.string(),
    event: z.enum(eventNames).nullable(),
    state: z.enum(deliveryStateNames),
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
  .meta({ id: 'Delivery', description: 'The delivery of one event to one webhook.' });

const DeliveryAttemptSchema = z
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
    description:
      'One attempt. key_id identifies the signing secret; response_body holds the first 2 KB of the response.',
  });

/** {@link DeliverySchema} with the signed body and all attempts. */
export const DeliveryDetailsSchema = DeliverySchema.extend({
  body: z.string().nullable(),
  withheld: z.literal('scope').nullable(),
  log: z.object({ data: z.array(DeliveryAttemptSchema) }),
}).meta({
  id: 'DeliveryDetails',
  description:
    'A delivery with its attempts; body is null once it is no longer stored, and if withheld is "scope": the app may not hear the event.',
});

const PercentilesSchema = z.object({ p50: z.int().nullable(), p95: z.int().nullable() });

/** Statistics of the newest deliveries of a webhook. Durations are in milliseconds. */
export const DeliveryStatsSchema = z
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
    duration_ms: PercentilesSchema,
    lag_ms: PercentilesSchema,
    pending: z.int(),
    oldest_pending_seconds: z.int().nullable(),
  })
  .meta({ id: 'DeliveryStats' });
