import type * as z from 'zod';

/**
 * Dotted paths of the fields of a raw body that its schema does not know, in the order of the body.
 * Top-level names in `known` are passed over: fields that the server makes.
 */
export function unknownFields(
  schema: z.core.$ZodType,
  body: unknown,
  known: readonly string[] = [],
): string[] {
  return unknownIn(schema, body).filter((path) => !known.includes(path.split('.', 1)[0]!));
}

function unknownIn(schema: z.core.$ZodType, value: unknown): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return isRecord(value) ? unknownMembers(def.shape, value) : [];
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((item, index) => under(index, unknownIn(def.element, item)))
        : [];
    case 'record':
      return isRecord(value)
        ? Object.entries(value).flatMap(([key, item]) => under(key, unknownIn(def.valueType, item)))
        : [];
    case 'union':
      return inEvery(
        def.options.filter((option) => fits(option, value)),
        value,
      );
    case 'intersection':
      return inEvery([def.left, def.right], value);
    default: {
      const inner = unwrapped(schema);
      return inner ? unknownIn(inner, value) : [];
    }
  }
}

function unknownMembers(shape: z.core.$ZodShape, value: Record<string, unknown>): string[] {
  return Object.entries(value).flatMap(([key, member]) =>
    Object.hasOwn(shape, key) ? under(key, unknownIn(shape[key]!, member)) : [key],
  );
}

function inEvery(schemas: readonly z.core.$ZodType[], value: unknown): string[] {
  const [first = [], ...others] = schemas.map((schema) => unknownIn(schema, value));
  return first.filter((path) => others.every((paths) => paths.includes(path)));
}

/** Whether an option of a union is meant for a value of this kind: array, object or neither. */
function fits(schema: z.core.$ZodType, value: unknown): boolean {
  const inner = unwrapped(schema);
  if (inner) return fits(inner, value);
  const { type } = schema._zod.def;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' || type === 'record' ? isRecord(value) : false;
}

/** The schema that reads the value first, for schemas that wrap another. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') return def.in._zod.def.type === 'transform' ? def.out : def.in;
  if (def.type === 'lazy') return def.getter();
  return 'innerType' in def ? def.innerType : undefined;
}

function under(key: string | number, paths: string[]): string[] {
  return paths.map((path) => `${key}.${path}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
