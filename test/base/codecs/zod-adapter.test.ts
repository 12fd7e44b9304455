import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { innerSchema, parsingWith, partsOf } from '../../../src/base/codecs/zod-adapter.ts';

const text = z.string();
const toNumber = z.codec(text, z.number(), { decode: Number, encode: String });

// A failure here names what a new version of zod made otherwise, and so what else must change.
describe('the parts of a schema, as serializers, unknown fields and restricted fields read them', () => {
  it.each([
    ['an object', z.object({ text }), { type: 'object', shape: { text } }],
    ['an array', z.array(text), { type: 'array', element: text }],
    ['a record', z.record(z.string(), text), { type: 'record', valueType: text }],
    ['a union', z.union([text, z.null()]), { type: 'union', options: [text, {}] }],
    [
      'an intersection',
      z.intersection(text, text),
      { type: 'intersection', left: text, right: text },
    ],
    ['an enum', z.enum(['a', 'b']), { type: 'enum', entries: { a: 'a', b: 'b' } }],
    ['a literal', z.literal(['a', 1]), { type: 'literal', values: ['a', 1] }],
    ['a codec', toNumber, { type: 'pipe', in: text, out: {}, transform: expect.any(Function) }],
    ['a transform', text.transform(Number), { type: 'pipe', in: text, out: {} }],
    ['a null or else', text.nullable(), { type: 'nullable', innerType: text }],
    ['an optional', text.optional(), { type: 'optional', innerType: text }],
    ['a prefault', z.prefault(text, 'a'), { type: 'prefault', innerType: text }],
    ['an unknown', z.unknown(), { type: 'unknown' }],
  ])('of %s', (_, schema, parts) => {
    const known = partsOf(schema);
    for (const [name, part] of Object.entries(parts)) {
      const found = (known as unknown as Record<string, unknown>)[name];
      if (part instanceof z.ZodType) expect(found, name).toBe(part);
      else if (name === 'shape')
        expect(found).toEqual({ text: expect.toSatisfy((of) => of === text) });
      else expect(found, name).toMatchObject(part as object);
    }
  });

  it('say what checks a value', () => {
    expect(partsOf(text)).not.toHaveProperty('format');
    expect(partsOf(z.email())).toHaveProperty('format', 'email');
    expect(partsOf(z.int())).toHaveProperty('format', 'safeint');
    expect(partsOf(z.coerce.string())).toHaveProperty('coerce', true);
    expect(partsOf(text.min(1)).checks).toHaveLength(1);
    expect(partsOf(z.strictObject({}))).toHaveProperty('catchall');
    expect(partsOf(z.object({}))).not.toHaveProperty('catchall');
  });

  it('tell a codec that reports issues from one that does not', () => {
    const reporting = z.codec(text, text, { decode: (value, _context) => value, encode: String });
    const arity = (schema: z.ZodType) => (partsOf(schema) as { transform?: unknown }).transform;
    expect([arity(toNumber), arity(reporting)]).toEqual([
      expect.toSatisfy((decode: () => void) => decode.length === 1),
      expect.toSatisfy((decode: () => void) => decode.length === 2),
    ]);
  });
});

it.each([
  ['a preprocessed one', z.preprocess(String, text)],
  ['one with a transform', text.transform(Number)],
  ['a lazy one', z.lazy(() => text)],
  ['a nullable one', text.nullable()],
  ['an optional one', text.optional()],
  ['one with a default', text.default('a')],
])('finds what parses the value of %s first', (_, schema) => {
  expect(innerSchema(schema)).toBe(text);
  expect(innerSchema(text)).toBeUndefined();
});

it('replaces how a schema parses, and not how it is documented', () => {
  const object = z.object({ text }).superRefine(() => {});
  const counting = parsingWith(object, (value) => [value]);
  expect(counting.parse(7)).toEqual([7]);
  expect(z.array(counting).parse([7, 'a'])).toEqual([[7], ['a']]);
  expect(z.object({ text }).parse({ text: 'a' })).toEqual({ text: 'a' });
  expect(z.toJSONSchema(counting)).toEqual(z.toJSONSchema(object));
});
