import * as z from 'zod';
import { addIssue } from '../base/codecs/field-messages.ts';
import { pathId } from '../base/codecs/fields/ids.ts';
import { stringInput } from '../base/codecs/fields/string-input.ts';
import { asStored } from '../base/codecs/fields/text.ts';
import { maxValueLength, ParseError } from '../base/codecs/listing/field-types.ts';
import { parseLimit } from '../base/codecs/listing/parse-parameters.ts';
import type { QueryDefinition } from './operation.ts';

type QueryParameter = QueryDefinition<unknown>['parameters'][number];

/** A query parameter that must not be repeated. */
export const singleValue = stringInput('Must be sent once.', maxValueLength);

/** A query parameter that a parser of the listing language reads. */
export const parsedWith = <T>(parse: (text: string) => T | ParseError) =>
  singleValue.transform((text, context): T => {
    const value = parse(text);
    return value instanceof ParseError ? addIssue(context, value.message) : value;
  });

/**
 * A query parameter that is compared with a field of records, in any way that a body may write it.
 */
export const storedValue = (field: z.ZodType<string, string>) =>
  singleValue.transform((text) => asStored(field, text));

/** `limit` of lists without page numbers. */
export const limitField = parsedWith(parseLimit).default(10);

export const limitParameter = (noun: string): QueryParameter => ({
  name: 'limit',
  description: `${noun} per page. Values above 100 count as 100.`,
  schema: { type: 'integer', minimum: 1, default: 10 },
});

/** Parameters of a list that is paged by a cursor. */
export const cursorFields = { limit: limitField, cursor: pathId.optional() };

export const cursorParameters: readonly QueryParameter[] = [
  limitParameter('Records'),
  {
    name: 'cursor',
    description: 'meta.cursor.next of the previous page.',
    schema: { type: 'integer', minimum: 1 },
  },
];

export const defineQuery = <Query>(
  schema: z.ZodType<Query>,
  parameters: readonly QueryParameter[],
): QueryDefinition<Query> => ({ schema, parameters, names: parameters.map(({ name }) => name) });

/** The query of a list that is paged by a cursor and has no filter. */
export const cursorQuery = defineQuery(z.object(cursorFields), cursorParameters);
