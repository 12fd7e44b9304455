import * as z from 'zod';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';
import { eventNames } from '../../events/catalogue.ts';

/** A webhook. Its signing secret is never returned. */
export const WebhookSchema = z
  .object({
    id: z.int(),
    url: z.string(),
    name: z.string(),
    events: z.array(z.enum(eventNames)),
    active: boolOutput,
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Webhook' });

/** The response of its creation, the only one with the signing secret. */
export const CreatedWebhookSchema = WebhookSchema.extend({ secret_key: z.string() }).meta({
  id: 'CreatedWebhook',
});

/** An event that can be subscribed to. */
export const EventDescriptionSchema = z
  .object({ name: z.enum(eventNames), description: z.string() })
  .meta({ id: 'EventDescription' });
