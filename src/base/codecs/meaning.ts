import * as z from 'zod';

/** Metadata of an object schema: what its fields mean, by name. */
export const meaningsKey = 'x-meanings';

/**
 * Says what a record is and what its fields mean to a shop, for the document. A call stands beside its schema, marked with
 * `@__PURE__`: the bundle of the Worker, which has no document, then lacks the call and its texts.
 */
export function explain<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  description: string,
  ...fields: Partial<Record<keyof Shape, string>>[]
): void {
  z.globalRegistry.add(schema, {
    ...z.globalRegistry.get(schema),
    description,
    [meaningsKey]: Object.assign({}, ...fields) as Record<string, string>,
  });
}
