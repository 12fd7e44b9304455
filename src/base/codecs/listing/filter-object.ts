import * as z from 'zod';
import { arrayMessage, messageOrRequired } from '../field-messages.ts';
import type { Listing, ListingDefinition } from './listing.ts';

/**
 * Request field: the filters of a list as an object, such as `{"q": "shirt", "brand_id": [1, 2]}`,
 * with the names and values of its query. Those that its query explains by a field have the given
 * meanings. An unknown name, an empty value and no filter at all are errors, since they would
 * select all records.
 */
export function filterObject<Column extends string>(
  { schema, parameters }: ListingDefinition<Column>,
  meanings: Readonly<Record<string, string>>,
) {
  const filters = parameters.filter(({ column }) => column !== undefined);
  const shape = Object.fromEntries(
    filters.map(({ name, description, schema: json }) => [
      name,
      // Only a query has several values in one text.
      z
        .unknown()
        .optional()
        .meta({
          ...json,
          description: meanings[name] ?? description.replace(/[:,] separated by.*/, '.'),
        }),
    ]),
  );
  const names = filters.map(({ name }) => name).join(', ');
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys'
      ? `Has an unknown filter: must be one of ${names}.`
      : messageOrRequired('Must be an object.')(issue);
  return z.strictObject(shape, { error }).transform((sent, context): Listing<Column> => {
    const issue = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const query: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(sent)) {
      const texts = [value].flat().map(textOf);
      if (texts.length === 0 || texts.includes('')) {
        issue([name], arrayMessage(notFilter)({ input: value }));
      }
      query[name] = texts.length === 1 ? (texts[0] ?? '') : texts;
    }
    if (Object.keys(query).length === 0) issue([], `Must have at least one of ${names}.`);
    const { data, error } = schema.safeParse(query);
    for (const { path, message } of error?.issues ?? []) issue(path, message);
    return data ?? z.NEVER;
  });
}

const notFilter = 'Must be a text, a number, true or false, or a list of these, and not empty.';

/** A value as a query has it; an empty text for one that none has. */
const textOf = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
