import * as z from 'zod';

/** Metadata of an object schema: what its fields mean, by name. */
export const meaningsKey = 'x-meanings';

/**
 * Says what a record is and what its fields mean to a shop, for the document. A call stands beside
 * its schema, marked with `@__PURE__`: the bundle of the Worker, which has no document, then lacks
 * the call and its texts.
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

/**
 * Metadata of the object of a body: what its fields mean unless they have a text of their own, by
 * name.
 */
export const fallbackMeaningsKey = 'x-fallback-meanings';

/** The name of an object of a body, with what it is. */
type Named = Readonly<Record<string, string>>;

/**
 * Names an object of a body, and says what it is. A field without a text of its own means what the
 * field of this name means in a record. Marked with `@__PURE__`, as {@link explain}.
 */
export function explainBody(schema: z.ZodType, ...rest: [Named] | [record: z.ZodObject, Named]) {
  const [record, named] = rest.length === 1 ? [undefined, rest[0]] : rest;
  const [[id, description] = []] = Object.entries(named);
  z.globalRegistry.add(schema, {
    ...z.globalRegistry.get(schema),
    id,
    description,
    [fallbackMeaningsKey]: record && fieldMeanings(record),
  });
}

/** As {@link explainBody}, of a change: it keeps the fields that it does not name. */
export function explainChanges(schema: z.ZodType, record: z.ZodObject, named: Named): void {
  const texts = Object.entries(named).map(([id, text]) => [
    id,
    `${text} Fields that are left out keep their value.`,
  ]);
  explainBody(schema, record, Object.fromEntries(texts) as Named);
}

/** As {@link explainBody} of the body of POST, then as {@link explainChanges} of that of PUT. */
export function explainBodies(
  { post, put }: { post: z.ZodType; put: z.ZodType },
  record: z.ZodObject,
  named: Named,
): void {
  const [input = ['', ''], patch = ['', '']] = Object.entries(named);
  explainBody(post, record, Object.fromEntries([input]));
  explainChanges(put, record, Object.fromEntries([patch]));
}

function fieldMeanings(record: z.ZodObject): Record<string, string | undefined> {
  const { [meaningsKey]: explained } = z.globalRegistry.get(record) ?? {};
  const own = Object.entries(record.shape).map(([name, field]) => [name, descriptionOf(field)]);
  return { ...Object.fromEntries(own), ...(explained as Record<string, string> | undefined) };
}

const descriptionOf = (schema: z.core.$ZodType): string | undefined =>
  z.globalRegistry.get(schema)?.description ??
  (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
    ? descriptionOf(schema.unwrap())
    : undefined);
