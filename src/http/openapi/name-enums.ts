import { meaningOfEnum } from '../../base/codecs/meaning.ts';
import { mapChildren } from './normalize-schema.ts';
import type { JsonSchema } from './types.ts';

/**
 * Returns a function that replaces each enum by a reference to the component with the same values.
 * One that has no name stays, and `findUndescribed` reports it.
 */
export function createEnumNaming(register: (name: string, schema: JsonSchema) => JsonSchema) {
  return function nameEnums(schema: JsonSchema): JsonSchema {
    const { type, enum: values = [], ...rest } = schema;
    const meaning = meaningOfEnum(values);
    if (!meaning) return mapChildren(schema, nameEnums);
    const present = values.filter((value) => value !== null);
    const reference = register(meaning.name, {
      type: typeof present[0] === 'number' ? 'integer' : 'string',
      description: meaning.description,
      enum: present,
      'x-enumDescriptions': { ...meaning.values },
    });
    const isNullable = present.length < values.length || type?.includes('null') === true;
    return isNullable
      ? { ...rest, anyOf: [reference, { type: 'null' }] }
      : { ...rest, ...reference };
  };
}
