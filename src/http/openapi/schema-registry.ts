import * as z from 'zod';
import { partsOf } from '../../base/codecs/zod-adapter.ts';
import { createEnumNaming } from './name-enums.ts';
import { normalizeSchema } from './normalize-schema.ts';
import type { JsonSchema, JsonSchemas } from './types.ts';

/** Converts zod schemas into JSON schemas and collects those that have a name (`meta({id})`). */
export interface SchemaRegistry {
  /** The named schemas, for `components.schemas`. */
  namedSchemas: JsonSchemas;
  /** Schema of a request body. */
  input: (schema: z.ZodType) => JsonSchema;
  /** Schema of a response body. */
  output: (schema: z.ZodType) => JsonSchema;
  /** Replaces the enums of a schema by references to those with a name. */
  nameEnums: (schema: JsonSchema) => JsonSchema;
  /**
   * Adds a schema under a name and returns a reference to it. Throws if the name belongs to a
   * different schema.
   */
  register: (name: string, schema: JsonSchema) => JsonSchema;
}

/** Creates an empty registry. */
export function createSchemaRegistry(): SchemaRegistry {
  const namedSchemas: JsonSchemas = {};
  const register = (name: string, schema: JsonSchema): JsonSchema => {
    const known = namedSchemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas are named ${name}`);
    }
    namedSchemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const nameEnums = createEnumNaming(register);
  const convert = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      ...(io === 'input' && { override: markRequiredFields }),
    }) as JsonSchema & { $schema?: string; $defs?: JsonSchemas };
    const { $schema: _, $defs = {}, ...rest } = converted;
    for (const [name, definition] of Object.entries($defs)) {
      register(name, nameEnums(normalizeSchema(definition)));
    }
    return nameEnums(normalizeSchema(rest));
  };
  return {
    namedSchemas,
    input: (schema) => convert(schema, 'input'),
    output: (schema) => convert(schema, 'output'),
    register,
    nameEnums,
  };
}

/**
 * zod treats each field that starts with a transform as optional. Required is what fails to parse
 * when absent.
 */
function markRequiredFields({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  const def = partsOf(zodSchema);
  if (def.type !== 'object' || jsonSchema.$ref !== undefined) return;
  const required = Object.entries(def.shape)
    .filter(([, member]) => !z.safeParse(member, undefined).success)
    .map(([name]) => name);
  if (required.length > 0) jsonSchema.required = required;
  // zod leaves out examples of a body whose members are converted.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples) jsonSchema.examples = examples as unknown[];
}
