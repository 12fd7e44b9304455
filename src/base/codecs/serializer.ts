import * as z from 'zod';
import { partsOf, type AnySchema } from './zod-adapter.ts';

/** Converts a stored value; returns {@link refused} for one that it cannot convert. */
type Convert = (value: unknown) => unknown;

/**
 * Marks a value that a compiled schema leaves to zod, which either accepts it or reports what is
 * wrong.
 */
const refused = Symbol('refused');

/**
 * Compiles a response schema to closures, one per field, and returns its `parse`. Zod's own `parse`
 * generates code, which Workers forbid, or else interprets the schema with an object per field:
 * five times the time of these closures. Zod parses every value that they do not know or do not
 * accept, so results and errors are those of the schema.
 */
export function compileSerializer<S extends z.ZodType>(schema: S): (value: unknown) => z.output<S> {
  let convert: Convert | undefined;
  return (value) => {
    // At the first use, not at start-up: most isolates need few schemas.
    convert ??= compile(schema);
    const converted = convert(value);
    // The closures mirror the schema, so their result has its output type.
    return converted === refused ? schema.parse(value) : (converted as z.output<S>);
  };
}

const accept =
  (isValid: (value: unknown) => boolean): Convert =>
  (value) =>
    isValid(value) ? value : refused;

function compile(schema: AnySchema): Convert {
  const def = partsOf(schema);
  if (def.checks && def.checks.length > 0) return leaveToZod(schema);
  switch (def.type) {
    case 'string':
      return isPlain(def) ? accept((value) => typeof value === 'string') : leaveToZod(schema);
    case 'number':
      return compileNumber(schema, def);
    case 'boolean':
      return isPlain(def) ? accept((value) => typeof value === 'boolean') : leaveToZod(schema);
    case 'unknown':
      return (value) => value;
    case 'enum':
      return oneOf(Object.values(def.entries));
    case 'literal':
      return oneOf(def.values);
    case 'nullable':
      return unless(null, compile(def.innerType));
    case 'optional':
      return unless(undefined, compile(def.innerType));
    case 'array':
      return compileArray(compile(def.element));
    case 'union':
      return compileUnion(def.options.map(compile));
    case 'pipe':
      return compileCodec(schema, def);
    case 'object':
      return def.catchall ? leaveToZod(schema) : compileObject(def.shape);
    default:
      return leaveToZod(schema);
  }
}

/** Neither coerced nor of a format. */
const isPlain = (def: object) => !('coerce' in def && def.coerce) && !('format' in def);

const oneOf = (values: readonly unknown[]) => {
  const known = new Set(values);
  return accept((value) => known.has(value));
};

const unless =
  (exception: null | undefined, convert: Convert): Convert =>
  (value) =>
    value === exception ? value : convert(value);

function leaveToZod(schema: AnySchema): Convert {
  return (value) => {
    const result = z.safeParse(schema, value);
    return result.success ? result.data : refused;
  };
}

function compileNumber(schema: AnySchema, def: object): Convert {
  if (isPlain(def)) return accept(Number.isFinite);
  return 'format' in def && def.format === 'safeint' && !('coerce' in def && def.coerce)
    ? accept(Number.isSafeInteger)
    : leaveToZod(schema);
}

function compileArray(convert: Convert): Convert {
  return (value) => {
    if (!Array.isArray(value)) return refused;
    const items: unknown[] = [];
    for (const item of value as unknown[]) {
      const converted = convert(item);
      if (converted === refused) return refused;
      items.push(converted);
    }
    return items;
  };
}

function compileUnion(options: readonly Convert[]): Convert {
  return (value) => {
    for (const convert of options) {
      const converted = convert(value);
      if (converted !== refused) return converted;
    }
    return refused;
  };
}

/** Codecs of `codecs` decode without a context: one that reports issues takes a second argument. */
function compileCodec(schema: AnySchema, def: z.core.$ZodPipeDef): Convert {
  const decode = def.transform as Convert | undefined;
  if (!decode || decode.length > 1) return leaveToZod(schema);
  const [read, write] = [compile(def.in), compile(def.out)];
  return (value) => {
    const stored = read(value);
    return stored === refused ? refused : write(decode(stored));
  };
}

function compileObject(shape: Readonly<Record<string, AnySchema>>): Convert {
  const members = Object.entries(shape).map(([name, member]) => ({
    name,
    convert: compile(member),
    isOptional: partsOf(member).type === 'optional',
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refused;
    const source = value as Readonly<Record<string, unknown>>;
    const result: Record<string, unknown> = {};
    for (const { name, convert, isOptional } of members) {
      const stored = source[name];
      if (stored === undefined && !(name in source)) {
        if (isOptional) continue;
        return refused;
      }
      const converted = convert(stored);
      if (converted === refused) return refused;
      result[name] = converted;
    }
    return result;
  };
}
