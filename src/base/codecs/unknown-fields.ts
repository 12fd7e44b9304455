import { innerSchema, partsOf, type AnySchema } from './zod-adapter.ts';

/**
 * Returns the dotted paths of body fields that the schema does not have, in the order of the body.
 * Ignores the top-level names in `serverFields`.
 */
export function findUnknownFields(
  schema: AnySchema,
  body: unknown,
  serverFields: readonly string[] = [],
): string[] {
  return findUnknown(schema, body).filter((path) => !serverFields.includes(path.split('.', 1)[0]!));
}

function findUnknown(schema: AnySchema, value: unknown): string[] {
  const def = partsOf(schema);
  switch (def.type) {
    case 'object':
      return isRecord(value) ? unknownMembers(def.shape, value) : [];
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((item, index) => prefixPaths(index, findUnknown(def.element, item)))
        : [];
    case 'record':
      return isRecord(value)
        ? Object.entries(value).flatMap(([key, item]) =>
            prefixPaths(key, findUnknown(def.valueType, item)),
          )
        : [];
    case 'union':
      return unknownInEvery(
        def.options.filter((option) => acceptsKind(option, value)),
        value,
      );
    case 'intersection':
      return unknownInEvery([def.left, def.right], value);
    default: {
      const inner = innerSchema(schema);
      return inner ? findUnknown(inner, value) : [];
    }
  }
}

function unknownMembers(
  shape: Readonly<Record<string, AnySchema>>,
  value: Record<string, unknown>,
): string[] {
  return Object.entries(value).flatMap(([key, member]) =>
    Object.hasOwn(shape, key) ? prefixPaths(key, findUnknown(shape[key]!, member)) : [key],
  );
}

function unknownInEvery(schemas: readonly AnySchema[], value: unknown): string[] {
  const [first = [], ...others] = schemas.map((schema) => findUnknown(schema, value));
  const inOthers = others.map((paths) => new Set(paths));
  return first.filter((path) => inOthers.every((paths) => paths.has(path)));
}

/** Whether an option of a union accepts values of this kind: array, object or neither. */
function acceptsKind(schema: AnySchema, value: unknown): boolean {
  const inner = innerSchema(schema);
  if (inner) return acceptsKind(inner, value);
  const { type } = partsOf(schema);
  if (type === 'array') return Array.isArray(value);
  return type === 'object' || type === 'record' ? isRecord(value) : false;
}

function prefixPaths(key: string | number, paths: string[]): string[] {
  return paths.map((path) => `${key}.${path}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
