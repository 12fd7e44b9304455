import { commonValues, neededMembers, tellingMembers, valuesOf } from './openapi-example-values.ts';
import type { Schema, Schemas } from './openapi-types.ts';

interface Place {
  named: Schemas;
  /** Name of the member that holds the value. */
  member: string;
  /** Values of the record around it. */
  values: Record<string, unknown>;
}

/**
 * A believable value of a schema, for the document: required members, or the telling ones of an object that
 * requires none. `record` is the name of a record or an operation, which chooses the words. That it is valid
 * is a test over all rows, not a promise of this function.
 */
export function exampleOf(schema: Schema, named: Schemas, record = ''): unknown {
  return valueOf(schema, { named, member: '', values: valuesOf(record) });
}

function valueOf(schema: Schema, place: Place): unknown {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return valueOf(place.named[name] ?? {}, { ...place, values: valuesOf(name) });
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.examples) return schema.examples[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return valueOf(choices[0] ?? {}, place);
  const types = [schema.type ?? 'null'].flat();
  const type = types[0] ?? 'null';
  if (type === 'object') return objectOf(schema, place);
  const known = knownValue(place, type);
  if (known !== undefined && isWithin(known, schema)) return known;
  if (types.includes('null')) return null;
  if (schema.enum) return schema.enum[0];
  if (type === 'array') {
    if (schema.maxItems === 0) return [];
    const member = place.member.replace(/s$/, '');
    return schema.items ? [valueOf(schema.items, { ...place, member })] : [];
  }
  if (type === 'boolean') return true;
  return type === 'string' ? textOf(schema) : numberOf(schema);
}

function objectOf({ properties = {}, required = [] }: Schema, place: Place) {
  const all = Object.keys(properties);
  const telling = all.filter((name) => tellingMembers.includes(name));
  const optional = (telling.length > 0 ? telling : all).slice(0, 2);
  const shown = required.length > 0 ? [...required, ...neededMembers] : optional;
  return Object.fromEntries(
    all
      .filter((member) => shown.includes(member))
      .map((member) => [member, valueOf(properties[member] ?? {}, { ...place, member })]),
  );
}

function knownValue({ member, values }: Place, type: string): unknown {
  if (fits(values[member], type)) return values[member];
  return commonValues.find(([pattern, value]) => pattern.test(member) && fits(value, type))?.[1];
}

function fits(value: unknown, type: string): boolean {
  if (Array.isArray(value)) return type === 'array';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function isWithin(value: unknown, schema: Schema): boolean {
  if (schema.enum) return schema.enum.includes(value);
  if (Array.isArray(value)) {
    const { items } = schema;
    return !items || value.every((item) => fits(item, String(items.type)) && isWithin(item, items));
  }
  if (typeof value === 'string') {
    const { maxLength = Infinity, pattern } = schema;
    return value.length <= maxLength && (!pattern || new RegExp(pattern).test(value));
  }
  const { minimum = -Infinity, maximum = Infinity } = schema;
  return typeof value !== 'number' || (value >= minimum && value <= maximum);
}

function numberOf({ minimum = 0, exclusiveMinimum = -1, maximum = Infinity }: Schema): number {
  return Math.min(Math.max(1, minimum, exclusiveMinimum + 1), maximum);
}

function textOf({ format, minLength = 0 }: Schema): string {
  if (format === 'uri') return 'https://example.com/';
  if (format === 'email') return 'ana@example.com';
  if (format === 'date-time') return '2031-03-05T12:04:07Z';
  return 'Example'.padEnd(minLength, 'x');
}
