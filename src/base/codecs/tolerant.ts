import type * as z from 'zod';
import { toFieldErrors } from './field-errors.ts';
import { parseBody } from './parse-body.ts';
import { parsingWith } from './zod-adapter.ts';

/** An item of a list whose items fail on their own. */
export type Tolerated<T> =
  | { value: T; errors?: never }
  | { value?: never; errors: Record<string, string[]> };

/**
 * A schema for such an item: documented as `item`, but never invalid. Its errors become part of the
 * value, so that the other items of the list stay valid.
 */
export const tolerant = <S extends z.ZodType>(
  item: S,
): z.ZodType<Tolerated<z.output<S>>, z.input<S>> =>
  parsingWith(item, (value): Tolerated<z.output<S>> => {
    const { success, data, error } = parseBody(item as z.ZodType<z.output<S>>, value);
    return success ? { value: data } : { errors: itemErrors(error) };
  });

/** The errors of an item; those of no field are under `item`. */
function itemErrors(error: z.core.$ZodError): Record<string, string[]> {
  const { body, ...errors } = toFieldErrors(error);
  return body ? { item: body, ...errors } : errors;
}
