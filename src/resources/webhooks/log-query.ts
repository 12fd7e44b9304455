import * as z from 'zod';
import { eventNames } from '../../events/catalogue.ts';
import type { QueryContract } from '../../http/operation.ts';
import { Malformed } from '../../wire/column-kind.ts';
import { pathId } from '../../wire/id.ts';
import { readDate, readLimit } from '../../wire/listing-parts.ts';
import { expected, refuse } from '../../wire/sentences.ts';
import { deliveryStates } from './delivery-shapes.ts';

const once = z.string({ error: expected('Must be sent once.') });

/** A parameter that a reader of the query language takes. */
const readBy = <T>(reader: (text: string) => T | Malformed) =>
  once.transform((text, context): T => {
    const value = reader(text);
    return value instanceof Malformed ? refuse(context, value.sentence) : value;
  });

const paging = {
  limit: readBy(readLimit).default(10),
  cursor: pathId.optional(),
};

const pagingParameters = [
  {
    name: 'limit',
    description: 'Rows a page; above 100 counts as 100.',
    schema: { type: 'integer', minimum: 1, default: 10 },
  },
  {
    name: 'cursor',
    description: 'meta.cursor.next of the page before.',
    schema: { type: 'integer', minimum: 1 },
  },
];

const contract = <Query>(
  schema: z.ZodType<Query>,
  parameters: QueryContract<Query>['parameters'],
): QueryContract<Query> => ({ schema, parameters, names: parameters.map(({ name }) => name) });

/** The query of a list that only goes on. */
export const pagingQuery = contract(z.object(paging), pagingParameters);

/** The query of the delivery log. */
export const logQuery = contract(
  z.object({
    ...paging,
    event: z.enum(eventNames, { error: 'Must be the name of an event.' }).optional(),
    state: z
      .enum(deliveryStates, { error: `Must be one of ${deliveryStates.join(', ')}.` })
      .optional(),
    date: readBy((text) => readDate(['created_at'], text)).optional(),
  }),
  [
    ...pagingParameters,
    {
      name: 'event',
      description: 'Deliveries of this event.',
      schema: { type: 'string', enum: eventNames },
    },
    {
      name: 'state',
      description: 'Deliveries in this state.',
      schema: { type: 'string', enum: deliveryStates },
    },
    {
      name: 'date',
      description:
        '"created_at:YYYY-MM-DD" or "created_at:YYYY-MM-DD|YYYY-MM-DD", days of the store\'s zone, both ends included.',
      schema: { type: 'string' },
    },
  ],
);
