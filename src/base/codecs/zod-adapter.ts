import type * as z from 'zod';

/**
 * Reads the inside of schemas, for which zod has no methods; no other file does
 * (`oxlint.config.ts`). `test/base/codecs/zod-adapter.test.ts` says what a new version changes.
 */

export type AnySchema = z.core.$ZodType;

/** Returns what a schema was made of, by its `type`. */
export const partsOf = (schema: AnySchema) => (schema as z.core.$ZodTypes)._zod.def;

/** For a schema that wraps another: the one that parses the value first. */
export function innerSchema(schema: AnySchema): AnySchema | undefined {
  const parts = partsOf(schema);
  if (parts.type === 'pipe') return partsOf(parts.in).type === 'transform' ? parts.out : parts.in;
  if (parts.type === 'lazy') return parts.getter();
  return 'innerType' in parts ? parts.innerType : undefined;
}

/**
 * Returns a copy of a schema that is documented as it is, but parses with `parse` and accepts
 * everything. A pipe or a union would be documented by its parts.
 */
export function parsingWith<S extends z.ZodType, Out>(schema: S, parse: (value: unknown) => Out) {
  const copy = schema.clone();
  copy._zod.run = (payload) => {
    payload.value = parse(payload.value);
    return payload;
  };
  return copy as unknown as z.ZodType<Out, z.input<S>>;
}
