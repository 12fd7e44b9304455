import * as z from 'zod';
import {
  arrayMessage,
  messageOrRequired,
  addIssue,
  formatNoteKey,
  formatNumber,
} from '../field-messages.ts';

/** A nested object of a request. Unknown members are dropped. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, { error: messageOrRequired('Must be an object.') });
}

/**
 * Array of `min` to `max` items of one schema. A longer array is rejected before its items are
 * parsed.
 */
export function arrayOf<Item extends z.ZodType>(
  item: Item,
  { min = 0, max }: { min?: number; max: number },
) {
  const message =
    min > 0
      ? `Must be an array of ${formatNumber(min)} to ${formatNumber(max)} items.`
      : `Must be an array of at most ${formatNumber(max)} items.`;
  const array = z
    .array(item, { error: arrayMessage(message) })
    .min(min, message)
    .max(max, message);
  return z.pipe(refuseLonger<z.input<typeof array>>(max, message), array);
}

/** Rejects an array of more than `max` items before the next schema parses them. */
export const refuseLonger = <Input>(max: number, message: string) =>
  // A body of 1 MiB can hold half a million invalid items, and each would add an issue.
  z.transform((value: Input, context) =>
    Array.isArray(value) && value.length > max ? addIssue(context, message) : value,
  );

/**
 * Refinement: no two items have the same key. The issue has the path of the later item, or of its
 * `field`.
 */
export const uniqueBy =
  <Item>(keyOf: (item: Item) => unknown, field?: keyof Item & string) =>
  (items: readonly Item[], context: z.core.$RefinementCtx) => {
    const seen = new Set<unknown>();
    for (const [index, item] of items.entries()) {
      const key = keyOf(item);
      if (seen.has(key)) {
        const path = field === undefined ? [index] : [index, field];
        context.addIssue({ code: 'custom', path, message: 'Must not contain duplicates.' });
      }
      seen.add(key);
    }
  };

/**
 * Request field: an array, bare or in the envelope of responses, `{"data": [...]}`. Not a union,
 * because a union would report the errors of an item under the name of the list.
 */
export const orDataWrapped = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess(
      (value) =>
        typeof value === 'object' && value !== null && 'data' in value ? value.data : value,
      schema,
    )
    .meta({ [formatNoteKey]: 'The array itself, or {"data": [...]}.' });
