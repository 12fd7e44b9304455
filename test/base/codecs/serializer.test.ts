import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dateTime } from '../../../src/base/codecs/fields/date-time.ts';
import { boolOutput } from '../../../src/base/codecs/fields/scalars.ts';
import { runInZone } from '../../../src/base/codecs/fields/zone.ts';
import { compileSerializer } from '../../../src/base/codecs/serializer.ts';
import { partsOf } from '../../../src/base/codecs/zod-adapter.ts';
import { operationGroups } from '../../../src/routes/operations.ts';

/** Generates stored values that a response schema accepts. */
function storedValues(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const def = partsOf(schema);
  switch (def.type) {
    case 'string':
      return fc.string({ maxLength: 5 });
    case 'number':
      return 'format' in def ? fc.integer({ min: 0, max: 4e9 }) : fc.integer().map((n) => n / 100);
    case 'boolean':
      return fc.boolean();
    case 'unknown':
      return fc.jsonValue({ maxDepth: 1 });
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'null':
      return fc.constant(null);
    case 'nullable':
      return fc.option(storedValues(def.innerType), { nil: null });
    case 'optional':
      return fc.option(storedValues(def.innerType), { nil: undefined });
    case 'array':
      return fc.array(storedValues(def.element), { maxLength: 2 });
    case 'union':
      return fc.oneof(...def.options.map(storedValues));
    case 'record':
      return fc.dictionary(fc.string({ maxLength: 3 }), storedValues(def.valueType), {
        maxKeys: 2,
      });
    case 'pipe':
      return storedValues(def.in);
    case 'object': {
      const members = Object.entries(def.shape);
      const isRequired = ([, member]: (typeof members)[number]) =>
        partsOf(member).type !== 'optional';
      return fc.record(
        Object.fromEntries(members.map(([name, member]) => [name, storedValues(member)])),
        { requiredKeys: members.filter(isRequired).map(([name]) => name) },
      );
    }
    default:
      throw new Error(`no values of ${def.type}`);
  }
}

/** Replaces or deletes one member, at any depth. */
function spoil(value: unknown, path: readonly number[], replacement: unknown): unknown {
  const [first, ...deeper] = path;
  if (typeof value !== 'object' || value === null || first === undefined) return replacement;
  const names = Object.keys(value);
  const name = names[first % Math.max(names.length, 1)];
  if (name === undefined) return replacement;
  const entries = Object.entries(value).flatMap(([key, member]) => {
    if (key !== name) return [[key, member] as const];
    const spoilt = deeper.length > 0 ? spoil(member, deeper, replacement) : replacement;
    return spoilt === 'deleted' ? [] : [[key, spoilt] as const];
  });
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function outcomeOf(parse: () => unknown) {
  try {
    return { value: runInZone('America/Sao_Paulo', parse) };
  } catch (error) {
    return { error: String(error) };
  }
}

const replies = operationGroups.flatMap(({ operations }) => operations.map(({ reply }) => reply));
const schemas = [...new Set(replies.map(({ schema }) => schema))];

describe('a compiled serializer', () => {
  it('makes of every response what its schema makes, also of a wrong one', () => {
    expect(schemas.length).toBeGreaterThan(80);
    for (const schema of schemas) {
      const serialize = compileSerializer(schema);
      const cases = fc.tuple(
        storedValues(schema),
        fc.array(fc.nat(30), { maxLength: 4 }),
        fc.constantFrom<unknown>('none', 'none', 'deleted', null, undefined, 'x', -1, 0.5, [], {}),
      );
      fc.assert(
        fc.property(cases, ([stored, path, replacement]) => {
          const value = replacement === 'none' ? stored : spoil(stored, path, replacement);
          expect(outcomeOf(() => serialize(value))).toStrictEqual(
            outcomeOf(() => schema.parse(value)),
          );
        }),
        { numRuns: 6 },
      );
    }
  });

  it('leaves to zod what it does not know', () => {
    const schema = z.object({
      even: z.number().refine((value) => value % 2 === 0),
      mail: z.email(),
      count: z.coerce.number(),
      pair: z.tuple([z.string(), z.int()]),
      word: z.string().transform((text) => text.length),
    });
    const serialize = compileSerializer(schema);
    const value = { even: 2, mail: 'a@b.test', count: '3', pair: ['a', 1], word: 'abc' };
    expect(serialize(value)).toEqual(schema.parse(value));
    expect(() => serialize({ ...value, even: 1 })).toThrow('Invalid input');
  });

  it('converts a stored record without any call of zod', () => {
    const schema = z.object({ id: z.int(), active: boolOutput, created_at: dateTime });
    const serialize = compileSerializer(schema);
    const row = { id: 1, active: 1 as const, created_at: 0, store_id: 7 };
    // Compiles.
    runInZone('UTC', () => serialize(row));
    schema.parse = () => {
      throw new Error('parsed by zod');
    };
    expect(runInZone('UTC', () => serialize(row))).toEqual({
      id: 1,
      active: true,
      created_at: { date: '1970-01-01 0:00:00', timezone_type: 3, timezone: 'UTC' },
    });
  });
});
