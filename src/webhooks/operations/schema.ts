import * as z from 'zod';
import { recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { boolOutput } from '../../base/codecs/fields/scalars.ts';
import { explain } from '../../base/codecs/meaning.ts';
import { eventNames, specifiedEventNames } from '../../data/grants/event-catalogue.ts';

/** A webhook. Its signing secret is never returned. */
export const WebhookSchema = z
  .object({
    id: idOutput,
    url: z.string(),
    name: z.string(),
    events: z.array(z.enum(eventNames)),
    active: boolOutput,
    ordered: boolOutput,
    duplicate_of: idOutput.nullable(),
    ...recordTimes,
  })
  .meta({ id: 'Webhook' });

const webhookMeanings = {
  url: 'Address that gets each event as a signed POST; it must be public and use https.',
  name: 'Name for people, in the panel and in mails about failures.',
  events: 'Events that are sent, in the order of their catalogue.',
  active: 'Whether deliveries are sent; false holds them. Failing for days turns it off.',
  ordered:
    'true sends one delivery at a time, in the order of seq: each waits until the one before has arrived or was given up. So you get one event per answer, and one that fails holds up all behind it; the third 422 skips it. false sends up to five at a time, in any order.',
  duplicate_of:
    'Another webhook of yours (the oldest) with the same address and one of these events, which arrive there twice; null without one. Delete one of the two.',
};

/* @__PURE__ */ explain(
  WebhookSchema,
  'A subscription: events of the store are sent to your address. Its signing secret is never returned again.',
  webhookMeanings,
);

/** The response of its creation, the only one with the signing secret. */
export const CreatedWebhookSchema = WebhookSchema.extend({
  secret_key: z.string(),
}).meta({ id: 'CreatedWebhook' });

/* @__PURE__ */ explain(
  CreatedWebhookSchema,
  'A new webhook with its signing secret.',
  webhookMeanings,
  {
    secret_key: 'Key for verifying signatures. Store it now: no other response contains it.',
  },
);

/** An event that can be subscribed to. */
export const EventDescriptionSchema = z
  .object({
    name: z.enum(specifiedEventNames),
    description: z.string(),
  })
  .meta({ id: 'EventDescription' });

/* @__PURE__ */ explain(EventDescriptionSchema, 'An event that a webhook can subscribe to.', {
  name: 'Name for subscriptions, and event in the body of deliveries.',
  description: 'What happened in the store.',
});
