import type { EnumText } from './document-texts.ts';
import { mapChildren } from './normalize-schema.ts';
import type { JsonSchema } from './types.ts';

const keyOf = (values: readonly unknown[]) => JSON.stringify(values.map(String).toSorted());

/**
 * Returns a function that replaces each enum by a reference to the component with the same values.
 * One that has no name stays, and `findUndescribed` reports it.
 */
export function createEnumNaming(
  enums: Readonly<Record<string, EnumText>>,
  register: (name: string, schema: JsonSchema) => JsonSchema,
) {
  const named = new Map(
    Object.entries(enums).map(([name, text]) => [
      keyOf(Object.keys(text.values)),
      { name, ...text },
    ]),
  );
  return function nameEnums(schema: JsonSchema): JsonSchema {
    const { type, enum: values = [], ...rest } = schema;
    const text = named.get(keyOf(values));
    if (!text) return mapChildren(schema, nameEnums);
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
}
