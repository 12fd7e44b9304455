import fc from 'fast-check';
import { z } from 'zod';
import { exampleOf } from '../../src/http/openapi-example.ts';
import type { MediaType, Schema } from '../../src/http/openapi-types.ts';

/** One field of a body, and the ways to put what its schema forbids in its place. */
export interface Break {
  /** The name that the refusal has to give: a dotted path. */
  field: string;
  bodies: fc.Arbitrary<unknown>;
}

type Build = (value: unknown) => unknown;

/** Every field of a published body, members of objects and of lists included, with bodies that it spoils. */
export function breaksOf({ schema, example }: MediaType): Break[] {
  return [...places(schema, example, [], (body) => body)];
}

function* places(
  schema: Schema,
  example: unknown,
  path: readonly (string | number)[],
  build: Build,
): Generator<Break> {
  const { properties = {}, required = [], items } = present(schema);
  for (const [name, member] of Object.entries(properties)) {
    const around = example as Record<string, unknown>;
    const buildMember: Build = (value) => build(replaced(around, name, value));
    yield* at(member, around[name], [...path, name], buildMember, required.includes(name));
  }
  if (items) {
    const [first, ...others] = example as unknown[];
    yield* at(items, first, [...path, 0], (value) => build([value, ...others]), false);
  }
}

function* at(
  schema: Schema,
  known: unknown,
  path: readonly (string | number)[],
  build: Build,
  isRequired: boolean,
): Generator<Break> {
  const example = known ?? exampleOf(present(schema), {});
  const values = forbidden(schema, example);
  yield {
    field: path.join('.'),
    bodies: (isRequired ? fc.oneof(fc.constant(undefined), values) : values).map(build),
  };
  yield* places(schema, example, path, build);
}

/** Without the member when there is no value, as JSON has none for it. */
function replaced(object: Record<string, unknown>, name: string, value: unknown) {
  const { [name]: _, ...others } = object;
  return value === undefined ? others : { ...others, [name]: value };
}

/** A schema without its leave to be null; one with several other forms stays as it is. */
function present(schema: Schema): Schema {
  const forms = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return forms.length === 1 && forms[0] ? present(forms[0]) : schema;
}

const takesNull = ({ anyOf = [] }: Schema) => anyOf.some(({ type }) => type === 'null');

/** Values of other types, and those just and far beyond the limits of the schema. */
function forbidden(schema: Schema, example: unknown): fc.Arbitrary<unknown> {
  const validator = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  const own = present(schema);
  return fc
    .oneof(
      fc.constantFrom<unknown>(null, true, 0, '', [], {}, [[]], { data: null }, 0.5, -1),
      fc.jsonValue({ maxDepth: 2 }),
      fc.string({ unit: 'grapheme' }),
      ...beyond(own, example),
    )
    .filter((value) => !validator.safeParse(value).success && !isForgiven(schema, value))
    .filter((value) => !isInside(own, value));
}

/** A blank text clears a field that may be null (contract 1.3). */
const isForgiven = (schema: Schema, value: unknown) =>
  takesNull(schema) && typeof value === 'string' && !/[\p{L}\p{N}]/u.test(value);

/** What is wrong in it is wrong with a field of its own, which has its own turn. */
function isInside(schema: Schema, value: unknown): boolean {
  if (!Array.isArray(value)) {
    return schema.type === 'object' && typeof value === 'object' && value !== null;
  }
  return (schema.anyOf ?? [schema]).some(
    ({ type, minItems = 0, maxItems = Infinity }) =>
      type === 'array' && value.length >= minItems && value.length <= maxItems,
  );
}

function* beyond(schema: Schema, example: unknown): Generator<fc.Arbitrary<unknown>> {
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
