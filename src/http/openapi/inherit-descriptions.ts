import { nonNull } from './normalize-schema.ts';
import type { JsonSchema, JsonSchemas } from './types.ts';

/**
 * Returns the record inside a response schema: without references, null, arrays, and the envelope `{data}`. Request bodies
 * nest records without these envelopes.
 */
export function innerRecord(schema: JsonSchema, schemas: JsonSchemas): JsonSchema {
  const name = componentName(schema);
  if (name !== '') return innerRecord(schemas[name] ?? {}, schemas);
  const present = nonNull(schema);
  if (present !== schema) return innerRecord(present, schemas);
  if (schema.items) return innerRecord(schema.items, schemas);
  const { data } = schema.properties ?? {};
  return data ? innerRecord(data, schemas) : schema;
}

/** Returns the name of the component of a field: of itself, of its items, or of its envelope. */
export function innerComponent(schema: JsonSchema): string {
  const present = nonNull(schema);
  const { data } = present.properties ?? {};
  const inner = present.items ?? data;
  return inner ? innerComponent(inner) : componentName(present);
}

/** Returns the name of the component that `$ref` points to, or the empty string. */
export const componentName = ({ $ref = '' }: JsonSchema) => $ref.split('/').at(-1) ?? '';

/**
 * Gives each field of a body without a description that of the field with the same name and nesting in a record. The first
 * record that describes the field wins.
 */
export function inheritDescriptions(
  body: JsonSchema,
  records: readonly JsonSchema[],
  schemas: JsonSchemas,
): JsonSchema {
  const sources = records.map((record) => innerRecord(record, schemas));
  const inheritAll = (schema: JsonSchema, inner: readonly JsonSchema[]): JsonSchema => {
    if (schema.anyOf) {
      return { ...schema, anyOf: schema.anyOf.map((option) => inheritAll(option, inner)) };
    }
    if (schema.items) return { ...schema, items: inheritAll(schema.items, inner) };
    return schema.properties ? inheritDescriptions(schema, inner, schemas) : schema;
  };
  const properties = Object.entries(body.properties ?? {}).map(([name, field]) => {
    const same = sources.flatMap(({ properties: fields }) => fields?.[name] ?? []);
    const description =
      field.description ?? same.find((source) => source.description !== undefined)?.description;
    const described = description === undefined ? field : { ...field, description };
    return [name, inheritAll(described, same)] as const;
  });
  return { ...body, properties: Object.fromEntries(properties) };
}
