import * as z from 'zod';
import { eventIdExample } from '../../codecs/fields/ids.ts';
import { eventNames } from '../../events/catalogue.ts';

/** An event of the feed: its id and the body that webhooks receive. */
export const FeedEventSchema = z
  .object({
    id: z.string().meta({ examples: [eventIdExample] }),
    event: z.enum(eventNames),
    time: z.string().meta({
      description: 'Local time of the event in the time zone of the store.',
      examples: ['2031-03-05 09:04:07'],
    }),
    merchant: z.object({ id: z.int(), alias: z.string() }),
    resource: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The same resource as in webhook deliveries of this event.' }),
  })
  .meta({ id: 'FeedEvent' });
