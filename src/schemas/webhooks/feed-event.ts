import * as z from 'zod';
import { eventIdExample, merchantId } from '../../codecs/fields/ids.ts';
import { explain } from '../../codecs/meaning.ts';
import { eventNames } from '../../events/catalogue.ts';

/** An event of the feed: its id and the body that webhooks receive. */
export const FeedEventSchema = z
  .object({
    id: z.string().meta({ examples: [eventIdExample] }),
    event: z.enum(eventNames),
    time: z.string().meta({
      examples: ['2031-03-05 09:04:07'],
    }),
    merchant: z.object({
      id: merchantId,
      alias: z.string().describe('Name of the store in every path of this API.'),
    }),
    resource: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'FeedEvent' });

/* @__PURE__ */ explain(
  FeedEventSchema,
  'An event of the feed: its id and the body that webhooks receive.',
  {
    id: 'Identifies the event: webhook-id of its deliveries. Use it to handle an event once.',
    event: 'What happened; decides the shape of resource.',
    time: 'When it happened, in the time zone of the store.',
    merchant: 'Store where it happened.',
    resource: 'The record after the change, as webhooks receive it.',
  },
);
