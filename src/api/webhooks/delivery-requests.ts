import * as z from 'zod';
import { parseDate } from '../../base/codecs/listing/parse-parameters.ts';
import { eventNames } from '../../data/grants/event-catalogue.ts';
import { cursorFields, cursorParameters, defineQuery, parsedWith } from '../query-parameters.ts';
import { deliveryStateNames } from './delivery-schema.ts';

/** The query of the delivery log. */
export const deliveryLogQuery = defineQuery(
  z.object({
    ...cursorFields,
    event: z.enum(eventNames, { error: 'Must be the name of an event.' }).optional(),
    state: z
      .enum(deliveryStateNames, { error: `Must be one of ${deliveryStateNames.join(', ')}.` })
      .optional(),
    date: parsedWith((text) => parseDate(['created_at'], text)).optional(),
  }),
  [
    ...cursorParameters,
    {
      name: 'event',
      description: 'Deliveries of this event.',
      schema: { type: 'string', enum: eventNames },
    },
    {
      name: 'state',
      description: 'Deliveries in this state.',
      schema: { type: 'string', enum: deliveryStateNames },
    },
    {
      name: 'date',
      description:
        '"created_at:YYYY-MM-DD" or "created_at:YYYY-MM-DD|YYYY-MM-DD", days in the time zone of the store, both ends included.',
      schema: { type: 'string' },
    },
  ],
);
