import * as z from 'zod';
import { eventNames } from '../../events/catalogue.ts';
import { eventIdPattern } from '../../wire/event-id.ts';
import { readLimit } from '../../wire/listing-parts.ts';

const once = z.string({ error: 'Must be sent once.' });
const names = z.union([z.string(), z.array(z.string())]).default([]);
const eventName = z.enum(eventNames);

const limit = once.default('10').transform((text, context) => {
  const rows = readLimit(text);
  if (typeof rows === 'number') return rows;
  context.addIssue({ code: 'custom', message: rows.sentence });
  return z.NEVER;
});

const Query = z
  .object({
    after_id: once.regex(/^(evt_[0-9a-f]{46})?$/, 'Must be the id of an event.').optional(),
    limit,
    event: names,
    'event[]': names,
  })
  .transform((query, context) => {
    const asked = [query.event, query['event[]']]
      .flat()
      .flatMap((text) => text.split(','))
      .filter((text) => text !== '');
    const events = z.array(eventName).safeParse(asked);
    if (!events.success) {
      context.addIssue({ code: 'custom', path: ['event'], message: 'Must be names of events.' });
      return z.NEVER;
    }
    return {
      // An empty value asks nothing.
      afterId: query.after_id || undefined,
      limit: query.limit,
      names:
        events.data.length > 0
          ? eventNames.filter((name) => events.data.includes(name))
          : eventNames,
    };
  });

/** What the feed of events is asked: where to go on, which events, how many. */
export const feedQuery = {
  schema: Query,
  names: ['after_id', 'event', 'event[]', 'limit'],
  parameters: [
    {
      name: 'after_id',
      description:
        'Id of the last event that is known; without it the feed begins with its oldest.',
      schema: { type: 'string', pattern: eventIdPattern },
    },
    {
      name: 'event',
      description: 'Only these events, with commas or as event[].',
      schema: { type: 'string' },
    },
    {
      name: 'limit',
      description: 'Events at a time; above 100 counts as 100.',
      schema: { type: 'integer', minimum: 1, default: 10 },
    },
  ],
};
