import { exampleFor } from '../../src/http/openapi/example.ts';
import type { JsonSchema, MediaType } from '../../src/http/openapi/types.ts';

/** One field of a body, with a way to build bodies that hold another value in its place. */
interface BodyField {
  /** The dotted path that an error names. */
  field: string;
  schema: JsonSchema;
  example: unknown;
  isRequired: boolean;
  build: (value: unknown) => unknown;
}

/** Returns every field of a documented body, including members of objects and lists. */
export function bodyFields({ schema, example }: MediaType): Generator<BodyField> {
  return places(schema, example, [], (body) => body);
}

type Build = BodyField['build'];

function* places(
  schema: JsonSchema,
  example: unknown,
  path: readonly (string | number)[],
  build: Build,
): Generator<BodyField> {
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
  schema: JsonSchema,
  known: unknown,
  path: readonly (string | number)[],
  build: Build,
  isRequired: boolean,
): Generator<BodyField> {
  const example = known ?? exampleFor(present(schema), {});
  yield { field: path.join('.'), schema, example, isRequired, build };
  yield* places(schema, example, path, build);
}

/** Sets a member; removes it if the value is undefined, which JSON cannot represent. */
function replaced(object: Record<string, unknown>, name: string, value: unknown) {
  const { [name]: _, ...all } = object;
  const { filter: _filter, variant: _variant, percent: _percent, ...alone } = all;
  // A body of bulk changes has items or a filter.
  const others = name === 'items' ? alone : all;
  return value === undefined ? others : { ...others, [name]: value };
}

/**
 * Returns the non-null form of a nullable schema. A schema with several other forms stays
 * unchanged.
 */
export function present(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return types.length === 1 && types[0] !== undefined ? { ...schema, type: types[0] } : schema;
  }
  const forms = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return forms.length === 1 && forms[0] ? present(forms[0]) : schema;
}
