import { z } from 'zod';

/** Returns a copy of a JSON schema in which no object allows undocumented fields. */
export function closeSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closeSchema);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, closeSchema(value)]),
  );
  if (copy.type === 'object' && copy.properties) copy.additionalProperties = false;
  return copy;
}

/** Returns the published names of the top-level fields of a response, or of what `options` say. */
export function topLevelFields(
  schema: z.ZodType,
  options: z.core.ToJSONSchemaParams = { io: 'output' },
): string[] {
  const { $ref, $defs = {}, properties } = z.toJSONSchema(schema, options);
  const named = $defs[$ref?.split('/').at(-1) ?? ''];
  return Object.keys(named?.properties ?? properties ?? {});
}
