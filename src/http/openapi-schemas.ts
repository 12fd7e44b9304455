import * as z from 'zod';
import type { Schema, Schemas } from './openapi-types.ts';

/** Turns zod schemas into those of the document and keeps the named ones (`meta({id})`). */
export interface SchemaShelf {
  /** The schemas with a name of their own, for `components.schemas`. */
  named: Schemas;
  /** What a client may send. */
  sent: (schema: z.ZodType) => Schema;
  /** What a client is shown. */
  shown: (schema: z.ZodType) => Schema;
  /** Keeps a schema under a name and answers with the reference to it. */
  keep: (name: string, schema: Schema) => Schema;
}

/** An empty shelf. Throws when two different schemas claim one name. */
export function schemaShelf(): SchemaShelf {
  const named: Schemas = {};
  const keep = (name: string, schema: Schema): Schema => {
    const known = named[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas are named ${name}`);
    }
    named[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const convert = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
    const made = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      ...(io === 'input' && { override: requireWhatIsMissed }),
    });
    const {
      $schema: _,
      $defs,
      ...rest
    } = tidy(made) as Schema & {
      $schema?: string;
      $defs?: Schemas;
    };
    for (const [name, definition] of Object.entries($defs ?? {})) keep(name, definition);
    return rest;
  };
  return {
    named,
    sent: (schema) => convert(schema, 'input'),
    shown: (schema) => convert(schema, 'output'),
    keep,
  };
}

/** zod takes whatever begins with a transform for optional; required is what is refused when absent. */
function requireWhatIsMissed({
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

/**
 * Moves references to the components, says `int64` where zod writes the bounds of safe integers, and leaves
 * objects open: a client that refuses unknown members would break with every added field.
 */
function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    copy[key] =
      key === '$ref' && typeof value === 'string'
        ? value.replace('#/$defs/', '#/components/schemas/')
        : tidy(value);
  }
  if (copy.additionalProperties === false) delete copy.additionalProperties;
  if (copy.type === 'integer') {
    if (copy.maximum === Number.MAX_SAFE_INTEGER) {
      delete copy.maximum;
      copy.format = 'int64';
    }
    if (copy.minimum === Number.MIN_SAFE_INTEGER) delete copy.minimum;
  }
  return copy;
}
