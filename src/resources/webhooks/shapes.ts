import * as z from 'zod';
import { eventNames } from '../../events/catalogue.ts';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';

/** A webhook as it is shown (contract 3.14); its secret never is. */
export const Webhook = z
  .object({
    id: z.int(),
    url: z.string(),
    name: z.string(),
    events: z.array(z.enum(eventNames)),
    active: shownBool,
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Webhook' });

/** The answer to its creation, the only place where the signing secret is shown. */
export const CreatedWebhook = Webhook.extend({ secret_key: z.string() }).meta({
  id: 'CreatedWebhook',
});

/** An event that can be subscribed to. */
export const EventDescription = z
  .object({ name: z.enum(eventNames), description: z.string() })
  .meta({ id: 'EventDescription' });
