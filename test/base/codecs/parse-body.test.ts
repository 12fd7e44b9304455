import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { toFieldErrors } from '../../../src/base/codecs/field-errors.ts';
import { arrayOf, object } from '../../../src/base/codecs/fields/arrays-and-objects.ts';
import { orNull } from '../../../src/base/codecs/fields/nullable.ts';
import { int } from '../../../src/base/codecs/fields/scalars.ts';
import { runInZone } from '../../../src/base/codecs/fields/zone.ts';
import { parseBody } from '../../../src/base/codecs/parse-body.ts';
import { requestBodies } from '../../../src/base/codecs/request-bodies.ts';
import { tolerant } from '../../../src/base/codecs/tolerant.ts';
import type { JsonSchema } from '../../../src/http/openapi/types.ts';
import { operations } from '../../support/api/operations.ts';
import { publishedBody } from '../../support/api/published-body.ts';

const outcomeOf = (schema: z.ZodType, body: unknown) => {
  const { data, error } = runInZone('UTC', () => parseBody(schema, structuredClone(body)));
  return error ? { errors: toFieldErrors(error) } : { data };
};

const gaps = 'Must be an array: in PHP, array_values makes one of a list with gaps.';

type Path = readonly string[];

const kindsOf = (schema: JsonSchema): JsonSchema[] => schema.anyOf?.flatMap(kindsOf) ?? [schema];

/** The paths of the members of a body that are of a type, through objects only. */
const pathsOf = (schema: JsonSchema, type: string): Path[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    kindsOf(member).flatMap((kind) => [
      ...(kind.type === type && kindsOf(member).length <= 2 && !kind.properties?.timezone
        ? [[name]]
        : []),
      ...pathsOf(kind, type).map((deeper) => [name, ...deeper]),
    ]),
  );

/** A body with another value at a path. */
const withValue = (body: unknown, [name = '', ...deeper]: Path, value: unknown): unknown => {
  const members = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  return {
    ...members,
    [name]: deeper.length === 0 ? value : withValue(members[name], deeper, value),
  };
};

const cases = (type: string) =>
  operations
    .filter(({ body, upload }) => body && !upload)
    .flatMap((operation) => {
      const { schema, example } = publishedBody(operation);
      return pathsOf(schema, type).map((path) => ({ operation, path, example }));
    });

describe('an empty array', () => {
  it('is an empty object at each place of each body where one is expected', () => {
    const all = cases('object');
    const names = all.map(({ operation, path }) => `${operation.id} ${path.join('.')}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'createCollection restrictions',
        'updateCollection restrictions.exclude',
        'createFlag include',
      ]),
    );
    for (const { operation, path, example } of all) {
      const [empty, array] = [{}, []].map((value) =>
        outcomeOf(operation.body!, withValue(example, path, value)),
      );
      expect(array, `${operation.id} ${path.join('.')}`).toEqual(empty);
    }
  });

  const inner = object({ deep: object({ count: int(0, 9).optional() }).optional() });
  it.each([
    ['in an object', object({ inner }), { inner: [] }, { data: { inner: {} } }],
    ['twice', object({ inner }), { inner: { deep: [] } }, { data: { inner: { deep: {} } } }],
    [
      'in an array',
      object({ all: arrayOf(inner, { max: 2 }) }),
      { all: [[]] },
      { data: { all: [{}] } },
    ],
    ['that may be null', object({ inner: orNull(inner) }), { inner: [] }, { data: { inner: {} } }],
    [
      'of a change',
      requestBodies({ optional: { inner: [inner, undefined] } }).put,
      { inner: [] },
      { data: { inner: {} } },
    ],
    [
      'of an item that fails on its own',
      object({ all: arrayOf(tolerant(inner), { max: 2 }) }),
      { all: [[], { deep: [] }] },
      { data: { all: [{ value: {} }, { value: { deep: {} } }] } },
    ],
    [
      'beside another fault',
      object({ inner, count: int(0, 9) }),
      { inner: [], count: 10 },
      { errors: { count: ['Must be a whole number from 0 to 9.'] } },
    ],
    [
      'and no other array',
      object({ inner }),
      { inner: [{}] },
      { errors: { inner: ['Must be an object.'] } },
    ],
    [
      'but stays one in a list',
      object({ all: arrayOf(int(0, 9), { max: 2 }) }),
      { all: [] },
      { data: { all: [] } },
    ],
  ])('is one %s', (_where, schema, body, expected) => {
    expect(outcomeOf(schema, body)).toEqual(expected);
  });
});

describe('an object with numbers as names', () => {
  it('is refused at each place of each body where a list is expected, and the habit is named', () => {
    const all = cases('array');
    expect(all.length).toBeGreaterThan(20);
    for (const { operation, path, example } of all) {
      const sent = withValue(example, path, { 1: 4, 3: 8 });
      const { errors } = outcomeOf(operation.body!, sent);
      expect(errors?.[path.join('.')], `${operation.id} ${path.join('.')}`).toEqual([gaps]);
    }
  });

  it.each([{}, { a: 1 }, { 1: 4, a: 5 }, 'x', 7, null])(
    'is no other value, such as %j',
    (value) => {
      const { errors } = outcomeOf(object({ all: arrayOf(int(0, 9), { max: 2 }) }), { all: value });
      expect(errors?.all).toEqual(['Must be an array of at most 2 items.']);
    },
  );
});
