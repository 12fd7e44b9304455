import * as z from 'zod';
import { requirementKey } from '../../access/may-see.ts';
import type { JsonSchema, JsonSchemas } from './types.ts';

/** Converts zod schemas into JSON schemas and collects those that have a name (`meta({id})`). */
export interface SchemaRegistry {
  /** The named schemas, for `components.schemas`. */
  namedSchemas: JsonSchemas;
  /** Schema of a request body. */
  input: (schema: z.ZodType) => JsonSchema;
  /** Schema of a response body. */
  output: (schema: z.ZodType) => JsonSchema;
  /** Adds a schema under a name and returns a reference to it. Throws if the name belongs to a different schema. */
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
  const convert = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      ...(io === 'input' && { override: markRequiredFields }),
    });
    const {
      $schema: _,
      $defs,
      ...rest
    } = normalizeSchema(converted) as JsonSchema & {
      $schema?: string;
      $defs?: JsonSchemas;
    };
    for (const [name, definition] of Object.entries($defs ?? {})) register(name, definition);
    return rest;
  };
  return {
    namedSchemas,
    input: (schema) => convert(schema, 'input'),
    output: (schema) => convert(schema, 'output'),
    register,
  };
}

/** zod treats each field that starts with a transform as optional. Required is what fails to parse when absent. */
function markRequiredFields({
  zodSchema: { _zod },
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  if (_zod.def.type !== 'object') return;
  const required = Object.entries(_zod.def.shape)
    .filter(([, member]) => !z.safeParse(member, undefined).success)
    .map(([name]) => name);
  if (required.length > 0) jsonSchema.required = required;
}

/** What the requirement of a field means for an app, after the description of the field. */
function describeRequirement(requirement: string, { description }: Record<string, unknown>) {
  const meaning =
    requirement === 'api-key' ? 'Null for apps.' : `For apps only with the scope ${requirement}.`;
  return typeof description === 'string' ? `${description} ${meaning}` : meaning;
}

/**
 * Points references at the components, replaces the bounds of safe integers by the format `int64`, and leaves objects
 * open: a client that rejects unknown fields would fail with each field that we add.
 */
function normalizeSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(normalizeSchema);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    copy[key] =
      key === '$ref' && typeof value === 'string'
        ? value.replace('#/$defs/', '#/components/schemas/')
        : normalizeSchema(value);
  }
  if (copy.additionalProperties === false) delete copy.additionalProperties;
  const requirement = copy[requirementKey];
  if (typeof requirement === 'string') copy.description = describeRequirement(requirement, copy);
  if (copy.type === 'integer') {
    if (copy.maximum === Number.MAX_SAFE_INTEGER) {
      delete copy.maximum;
      copy.format = 'int64';
    }
    if (copy.minimum === Number.MIN_SAFE_INTEGER) delete copy.minimum;
  }
  return copy;
}
