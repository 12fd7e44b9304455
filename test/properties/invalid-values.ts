import fc from 'fast-check';
import { z } from 'zod';
import type { MediaType, JsonSchema } from '../../src/http/openapi/types.ts';
import { bodyFields, present } from './body-fields.ts';

/** One field of a body, with bodies that hold an invalid value in its place. */
interface InvalidFieldCase {
  /** The dotted path that the error must name. */
  field: string;
  bodies: fc.Arbitrary<unknown>;
}

/**
 * Returns every field of a documented body, including members of objects and lists, with invalid
 * bodies.
 */
export function invalidFieldCases(media: MediaType): InvalidFieldCase[] {
  return [...bodyFields(media)].map(({ field, schema, example, isRequired, build }) => {
    const values = forbidden(schema, example);
    const sent = isRequired ? fc.oneof(fc.constant(undefined), values) : values;
    return { field, bodies: sent.map(build) };
  });
}

const takesNull = ({ type: types, anyOf = [] }: JsonSchema) =>
  types?.includes('null') === true || anyOf.some(({ type }) => type === 'null');

/** Spellings of a boolean in requests; the introduction of the document lists them once. */
const booleanSpellings = new Set<unknown>([1, 0, '1', '0', 'true', 'false']);

/** Values that are invalid for many fields, built once. */
const usual: readonly fc.Arbitrary<unknown>[] = [
  fc.constantFrom<unknown>(null, true, 0, '', [], {}, [[]], { data: null }, 0.5, -1),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'grapheme' }),
];

/** Values of other types, and values just beyond and far beyond the limits of the schema. */
function forbidden(schema: JsonSchema, example: unknown): fc.Arbitrary<unknown> {
  const validator = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  const isValid = (value: unknown) => validator.safeParse(value).success;
  const own = present(schema);
  return (
    fc
      .oneof(...usual, ...beyond(own, example))
      // The service removes the spaces around a text before it checks it.
      .filter((value) => !isValid(value) && !(typeof value === 'string' && isValid(value.trim())))
      .filter((value) => !isCleared(schema, value))
      .filter((value) => !isMemberError(own, value))
      .filter((value) => own.type !== 'boolean' || !booleanSpellings.has(value))
  );
}

/** A blank text is valid for a nullable field, which it clears. */
const isCleared = (schema: JsonSchema, value: unknown) =>
  takesNull(schema) && typeof value === 'string' && !/[\p{L}\p{N}]/u.test(value);

/** Whether an invalid member causes the error; members are fields with their own cases. */
function isMemberError(schema: JsonSchema, value: unknown): boolean {
  // An empty array counts as an empty object.
  if (schema.type === 'object' && Array.isArray(value) && value.length === 0) return true;
  if (!Array.isArray(value)) {
    return schema.type === 'object' && typeof value === 'object' && value !== null;
  }
  return (schema.anyOf ?? [schema]).some(
    ({ type, minItems = 0, maxItems = Infinity }) =>
      type === 'array' && value.length >= minItems && value.length <= maxItems,
  );
}

function* beyond(schema: JsonSchema, example: unknown): Generator<fc.Arbitrary<unknown>> {
  const { minimum, maximum, exclusiveMinimum, maxLength, minItems, maxItems } = schema;
  const step = fc.integer({ min: 1, max: 1000 });
  if (minimum !== undefined) yield step.map((by) => minimum - by);
  if (exclusiveMinimum !== undefined) yield step.map((by) => exclusiveMinimum - by + 1);
  if (maximum !== undefined) yield step.map((by) => maximum + by);
  if (maxLength !== undefined) yield step.map((by) => String(example).padEnd(maxLength + by, 'x'));
  if (minItems) yield fc.constant([]);
  if (maxItems !== undefined) {
    yield step.map((by) => Array.from({ length: maxItems + by }, (_, index) => index + 1));
  }
}
