import * as z from 'zod';
import { dateTime } from '../../base/codecs/fields/date-time.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { writtenOutside } from '../../base/codecs/written-outside.ts';
import { eventNames } from '../../data/grants/event-catalogue.ts';

/** Names of `DeliveryState`, indexed by its value. */
export const deliveryStateNames = ['open', 'delivered', 'gave_up', 'held', 'cancelled'] as const;

export const DeliverySchema = z
  .object({
    seq: z.int(),
    event_id: z.string(),
    event: z.enum(eventNames).nullable(),
    changed: z
      .array(z.string())
      .nullable()
      .meta({ examples: [['name', 'skus.price_sale']] }),
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
  .meta({ id: 'Delivery' });

const deliveryMeanings = {
  seq: 'Number of the delivery; those of a webhook have no gaps, so a gap at your end is a missed one.',
  event_id: 'Event that is sent: webhook-id in the headers. The same in each replay.',
  event: 'Name of the event; null once the event is no longer stored.',
  changed:
    'Names of the fields that an update changed, as in X-Service-Changed; null for any other event, and once it is no longer stored.',
  state:
    'open (being sent), delivered, gave_up (15 attempts failed), held (the webhook is off) or cancelled.',
  trigger: 'Whether the event caused it, or a replay.',
  replay_of: 'seq of the delivery that is repeated; null unless trigger is replay.',
  attempts: 'Requests so far.',
  code: 'Status of the last response; null without one.',
  error: 'Why the last attempt failed, as one word; null for a success.',
  duration_ms: 'Milliseconds that the last attempt took.',
  next_attempt_at: 'When the next attempt is due; null unless state is open.',
  created_at: 'When the delivery was planned, together with the change in the store.',
  done_at: 'When it was delivered or given up; null while it may still be sent.',
};

/* @__PURE__ */ explain(DeliverySchema, 'The way of one event to one webhook.', deliveryMeanings);

const DeliveryAttemptSchema = z
  .object({
    number: z.int(),
    at: dateTime,
    code: z.int().nullable(),
    error: z.string().nullable(),
    duration_ms: z.int(),
    host: z.string().nullable(),
    key_id: z.string().nullable(),
    response_headers: writtenOutside(z.record(z.string(), z.string()).nullable()),
    response_body: z
      .object({
        text: writtenOutside(z.string()).describe('The bytes as text.'),
        encoding: z.enum(['utf-8', 'base64']).describe('base64 when the bytes are not UTF-8.'),
        truncated: z.boolean().describe('Whether the response was longer.'),
      })
      .nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });

/* @__PURE__ */ explain(DeliveryAttemptSchema, 'One request to the address of a webhook.', {
  number: '1 for the first attempt.',
  at: 'When the request was sent.',
  code: 'Status of the response; null without one.',
  error: 'Why the attempt failed, as one word; null for a success.',
  duration_ms: 'Milliseconds until the response, or until giving up.',
  host: 'Host that the request went to.',
  key_id: 'Signing secret that was used, by its public id.',
  response_headers: 'Headers of your response that help to find a fault.',
  response_body: 'First 2 KB of your response; null without one.',
});

/** {@link DeliverySchema} with the signed body and all attempts. */
export const DeliveryDetailsSchema = DeliverySchema.extend({
  body: writtenOutside(z.string().nullable()),
  withheld: z.literal('scope').nullable(),
  log: z.object({ data: z.array(DeliveryAttemptSchema) }),
}).meta({ id: 'DeliveryDetails' });

/* @__PURE__ */ explain(DeliveryDetailsSchema, 'A delivery with its attempts.', deliveryMeanings, {
  body: 'Exact text that was signed; null once it is no longer stored, and when withheld.',
  withheld: 'scope when the app may not receive the event, so that body is null; else null.',
  log: 'Attempts, oldest first.',
});

const PercentilesSchema = z.object({
  p50: z.int().nullable().describe('Half of them took at most this; null without any.'),
  p95: z.int().nullable().describe('95 of 100 took at most this; null without any.'),
});

/** Statistics of the newest deliveries of a webhook. Durations are in milliseconds. */
export const DeliveryStatsSchema = z
  .object({
    sampled: z.int(),
    states: z.object({
      open: z.int().describe('Still being sent.'),
      delivered: z.int().describe('Answered with 2xx.'),
      gave_up: z.int().describe('Given up after 15 attempts.'),
      held: z.int().describe('Waiting for the webhook to be active again.'),
      cancelled: z.int().describe('Not to be sent any more.'),
    }),
    success_rate: z.number().nullable(),
    duration_ms: PercentilesSchema,
    lag_ms: PercentilesSchema,
    pending: z.int(),
    oldest_pending_seconds: z.int().nullable(),
  })
  .meta({ id: 'DeliveryStats' });

/* @__PURE__ */ explain(
  DeliveryStatsSchema,
  'How the newest deliveries of a webhook went. Times are in milliseconds.',
  {
    sampled: 'How many deliveries these figures are made of, at most 1,000.',
    states: 'How many of them are in each state.',
    success_rate: 'Share of delivered among those that ended, 0 to 1; null without any.',
    duration_ms: 'How long your address took to answer.',
    lag_ms: 'How long it took from the event to its 2xx.',
    pending: 'Open deliveries of the webhook, counted up to 10,000.',
    oldest_pending_seconds: 'Age of the oldest open delivery; null without one.',
  },
);

/* @__PURE__ */ explainEnum('DeliveryState', 'What became of one event for one webhook.', {
  open: 'Is being sent, or waits for its next attempt.',
  delivered: 'Your server answered 2xx.',
  gave_up: 'All attempts failed. A replay sends it again.',
  held: 'The webhook is paused or disabled, or the app may not receive the event at the moment.',
  cancelled:
    'Will not be sent: the webhook was deleted, or it was held until its event was too old.',
});

/* @__PURE__ */ explainEnum('DeliveryError', 'Why an attempt to deliver failed.', {
  timeout: 'No answer in time.',
  connect: 'No connection to the server.',
  dns: 'The host name does not exist.',
  tls: 'The certificate is not valid.',
  edge_52x: 'A network in front of the server could not reach it.',
  http_4xx: 'Answered with a status from 400 to 499.',
  http_5xx: 'Answered with a status from 500 on.',
  redirect: 'Answered with a redirect, which is not followed.',
  blocked_url: 'The host is not public, so nothing was sent.',
  internal: 'The request failed for another reason.',
});

/* @__PURE__ */ explainEnum('DeliveryTrigger', 'Why a delivery was made.', {
  event: 'The event happened while the webhook was subscribed to it.',
  replay: 'The event was asked for again; replay_of names the first delivery.',
});

/* @__PURE__ */ explainEnum('BodyEncoding', 'How the recorded bytes of a response are shown.', {
  'utf-8': 'As text.',
  base64: 'In Base64, because they are no valid UTF-8.',
});
