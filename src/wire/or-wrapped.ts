import * as z from 'zod';

/**
 * Request: what the schema of an array takes, also wrapped as replies show it: `{"data": [...]}`. Not a union,
 * which would report what is wrong with an item under the name of the whole list.
 */
export const orWrapped = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess(
      (value) =>
        typeof value === 'object' && value !== null && 'data' in value ? value.data : value,
      schema,
    )
    .meta({ description: 'The array itself, or {"data": [...]}.' });
