import * as z from 'zod';
import { arrayOf } from '../../codecs/fields/arrays-and-objects.ts';
import { eventIdPattern } from '../../codecs/fields/ids.ts';
import { eventNames } from '../../events/catalogue.ts';
import { limitField, limitParameter, singleValue } from '../query-parameters.ts';

const eventFilter = z.union([singleValue, z.array(singleValue)]).default([]);
const eventList = arrayOf(z.enum(eventNames), { max: 100 });

const feedParameters = z
  .object({
    after_id: singleValue.regex(/^(evt_[0-9a-f]{46})?$/, 'Must be the id of an event.').optional(),
    limit: limitField,
    event: eventFilter,
    'event[]': eventFilter,
  })
  .transform((query, context) => {
    const sentNames = [query.event, query['event[]']]
      .flat()
      .flatMap((text) => text.split(','))
      .filter((text) => text !== '');
    const events = eventList.safeParse(sentNames);
    if (!events.success) {
      context.addIssue({ code: 'custom', path: ['event'], message: 'Must be names of events.' });
      return z.NEVER;
    }
    return {
      // An empty value means no filter.
      afterId: query.after_id || undefined,
      limit: query.limit,
      names:
        events.data.length > 0
          ? eventNames.filter((name) => events.data.includes(name))
          : eventNames,
    };
  });

/** The query of the event feed. Its cursor is the id of an event. */
export const eventFeedQuery = {
  schema: feedParameters,
  names: ['after_id', 'event', 'event[]', 'limit'],
  parameters: [
    {
      name: 'after_id',
      description:
        'Id of the last event that was read; without it the feed starts at its oldest event.',
      schema: { type: 'string', pattern: eventIdPattern },
    },
    {
      name: 'event',
      description: 'Only events with these names, separated by commas or as several event[].',
      schema: { type: 'array', items: { type: 'string', enum: eventNames } },
    },
    limitParameter('Events'),
  ],
};
