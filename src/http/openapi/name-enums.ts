import type { EnumText } from './document-texts.ts';
import { componentName, mapChildren } from './normalize-schema.ts';
import type { JsonSchema, JsonSchemas } from './types.ts';

const keyOf = (values: readonly unknown[]) => JSON.stringify(values.map(String).toSorted());

/**
 * Returns a function that replaces each enum by a reference to the component with the same values. Enums with the same
 * values are distinguished by the fields that use them. One that has no name stays, and `findUndescribed` reports it.
 */
export function createEnumNaming(
  enums: Readonly<Record<string, EnumText>>,
  register: (name: string, schema: JsonSchema) => JsonSchema,
) {
  const named = Object.entries(enums).map(([name, text]) => ({
    ...text,
    name,
    key: keyOf(Object.keys(text.values)),
  }));
  const nameOf = (values: readonly unknown[], field: string) => {
    const same = named.filter(({ key }) => key === keyOf(values));
    return same.find(({ fields }) => fields?.includes(field)) ?? same.find(({ fields }) => !fields);
  };
  const replaceEnums = (schema: JsonSchema, field: string): JsonSchema => {
    const { type, enum: values, ...rest } = schema;
    const text = values && values.length > 1 ? nameOf(values, field) : undefined;
    if (!values || !text) {
      return mapChildren(schema, (child, name) =>
        replaceEnums(child, name === undefined ? field : `${field.split('.')[0]}.${name}`),
      );
    }
    const present = values.filter((value) => value !== null);
    const reference = register(text.name, {
      type: typeof present[0] === 'number' ? 'integer' : 'string',
      description: text.description,
      enum: present,
      'x-enumDescriptions': { ...text.values },
    });
    const isNullable = present.length < values.length || type?.includes('null') === true;
    return isNullable
      ? { ...rest, anyOf: [reference, { type: 'null' }] }
      : { ...rest, ...reference };
  };
  return replaceEnums;
}

/** Replaces the enums in all components. */
export function nameEnumsOfComponents(
  schemas: JsonSchemas,
  replaceEnums: (schema: JsonSchema, field: string) => JsonSchema,
) {
  for (const [name, schema] of Object.entries(schemas)) {
    // The enum itself, which a replacement has just registered, stays.
    if (schema['x-enumDescriptions']) continue;
    const replaced = replaceEnums(schema, name);
    if (componentName(replaced) !== name) schemas[name] = replaced;
  }
}
