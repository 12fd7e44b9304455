import * as z from 'zod';
import { expected, refuse, written } from './sentences.ts';

/** Array of `min` to `max` items of one schema; a longer one is refused before its items are read. */
export function list<Item extends z.ZodType>(
  item: Item,
  { min = 0, max }: { min?: number; max: number },
) {
  const sentence =
    min > 0
      ? `Must be an array of ${written(min)} to ${written(max)} items.`
      : `Must be an array of at most ${written(max)} items.`;
  const array = z
    .array(item, { error: expected(sentence) })
    .min(min, sentence)
    .max(max, sentence);
  // A body of a megabyte can hold half a million wrong items; each would make an issue.
  const short = z.transform((value: z.input<typeof array>, context) =>
    Array.isArray(value) && value.length > max ? refuse(context, sentence) : value,
  );
  return z.pipe(short, array);
}

/** A refinement: no two items of a list are the same by this key; the issue is of the later one, or its field. */
export const onlyOnce =
  <Item>(keyOf: (item: Item) => unknown, field?: keyof Item & string) =>
  (sent: readonly Item[], context: z.core.$RefinementCtx) => {
    const seen = new Set<unknown>();
    for (const [index, item] of sent.entries()) {
      if (seen.has(keyOf(item))) {
        const path = field === undefined ? [index] : [index, field];
        context.addIssue({ code: 'custom', path, message: 'Must stand only once in the list.' });
      }
      seen.add(keyOf(item));
    }
  };
