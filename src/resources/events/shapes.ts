import * as z from 'zod';
import { eventNames } from '../../events/catalogue.ts';
import { eventIdExample } from '../../wire/event-id.ts';

/** An event of the feed: its id, and what its receivers were sent. */
export const FeedEvent = z
  .object({
    id: z.string().meta({ examples: [eventIdExample] }),
    event: z.enum(eventNames),
    time: z.string().meta({
      description: "Local time of the event in the store's zone.",
      examples: ['2031-03-05 09:04:07'],
    }),
    merchant: z.object({ id: z.int(), alias: z.string() }),
    resource: z
      .record(z.string(), z.unknown())
      .meta({ description: 'As the webhook of this event sends it.' }),
  })
  .meta({ id: 'FeedEvent' });
