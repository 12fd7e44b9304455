import type * as z from 'zod';
import { toFieldErrors } from './field-errors.ts';
import { parseBody } from './parse-body.ts';

/** An item of a list whose items fail on their own. */
export type Tolerated<T> =
  | { value: T; errors?: never }
  | { value?: never; errors: Record<string, string[]> };

/**
 * A schema for such an item: documented as `item`, but never invalid. Its errors become part of the value, so that the
 * other items of the list stay valid.
 */
export function tolerant<S extends z.ZodType>(
  item: S,
): z.ZodType<Tolerated<z.output<S>>, z.input<S>> {
  const wrapped = item.clone();
  // A pipe or a union would be documented by its parts; only this is documented as the item itself.
  wrapped._zod.run = (payload) => {
    const { success, data, error } = parseBody(item, payload.value);
    payload.value = success ? { value: data } : { errors: itemErrors(error) };
    return payload;
  };
  return wrapped as unknown as z.ZodType<Tolerated<z.output<S>>, z.input<S>>;
}

/** The errors of an item; those of no field are under `item`. */
function itemErrors(error: z.core.$ZodError): Record<string, string[]> {
  const { body, ...errors } = toFieldErrors(error);
  return body ? { item: body, ...errors } : errors;
}
