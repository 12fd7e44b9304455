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

/** A named enum: its meaning, and that of each value. */
interface EnumMeaning {
  name: string;
  description: string;
  values: Readonly<Record<string, string>>;
}

const enums = new Map<string, EnumMeaning>();

const keyOfEnum = (values: readonly unknown[]) => JSON.stringify(values.map(String).toSorted());

/**
 * Names an enum, wherever it stands, and says what it and each of its values mean. Marked with
 * `@__PURE__`, as {@link explain}. Throws if another one has the same values.
 */
export function explainEnum(
  name: string,
  description: string,
  values: EnumMeaning['values'],
): void {
  const key = keyOfEnum(Object.keys(values));
  const { name: known = name } = enums.get(key) ?? {};
  if (known !== name) throw new Error(`${known} and ${name} have the same values`);
  enums.set(key, { name, description, values });
}

/** The meaning of the enum that has these values, if it was explained. */
export const meaningOfEnum = (values: readonly unknown[]) => enums.get(keyOfEnum(values));

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
