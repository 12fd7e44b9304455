import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import { ids } from '../../../src/base/codecs/fields/ids.ts';
import { orNull } from '../../../src/base/codecs/fields/nullable.ts';
import { bool, money } from '../../../src/base/codecs/fields/scalars.ts';
import { slug } from '../../../src/base/codecs/fields/string-formats.ts';
import { line } from '../../../src/base/codecs/fields/text.ts';
import { requestBodies } from '../../../src/base/codecs/request-bodies.ts';
import { anyJsonValues, parseOutcome, bodyError, inputSchema } from './parse-outcome.ts';

const Restrictions = requestBodies({
  optional: { products_ids: [ids(), []], brands_ids: [ids(), []] },
});
const Body = requestBodies({
  required: { name: line(10), active: bool },
  optional: {
    featured: [bool, false],
    title: [orNull(line(10)), null],
    price: [money, 0.5],
    slug: [slug(10), undefined],
    include: [Restrictions, {}],
  },
});

describe('requestBodies', () => {
  it('applies defaults on POST', () => {
    expect(parseOutcome(Body.post, { name: ' a ', active: 1, id: 7 })).toEqual({
      value: {
        name: 'a',
        active: true,
        featured: false,
        title: null,
        price: 50,
        include: { products_ids: [], brands_ids: [] },
      },
    });
  });

  it('does not share defaults between requests', () => {
    const first = Body.post.parse({ name: 'a', active: true });
    first.include.products_ids.push(1);
    expect(Body.post.parse({ name: 'a', active: true }).include.products_ids).toEqual([]);
  });

  it('omits absent fields from the result of PUT', () => {
    const stored = Body.put.parse({
      name: 'a',
      active: true,
      title: '',
      slug: null,
      price: undefined,
    });
    expect(Object.keys(stored)).toEqual(['name', 'active', 'title']);
    expect(stored.title).toBeNull();
    expect(Body.put.parse({ name: 'a', active: true, include: { brands_ids: [2, 2] } })).toEqual({
      name: 'a',
      active: true,
      include: { brands_ids: [2] },
    });
  });

  it.each([['post' as const], ['put' as const]])(
    'rejects a %s body without the required fields',
    (which) => {
      expect(parseOutcome(Body[which], {})).toEqual({
        errors: { name: ['Required.'], active: ['Required.'] },
      });
      expect(
        parseOutcome(Body[which], { name: 'a', active: true, featured: null, include: 4 }),
      ).toEqual({
        errors: { featured: ['Must be true or false.'], include: ['Must be an object.'] },
      });
      expect(parseOutcome(Body[which], [])).toEqual(bodyError('Must be an object.'));
    },
  );

  it('never throws on any JSON value', () => {
    for (const value of anyJsonValues) {
      const fields = { name: value, active: value, title: value, price: value, include: value };
      expect(() => parseOutcome(Body.post, value)).not.toThrow();
      expect(() => parseOutcome(Body.put, fields)).not.toThrow();
    }
  });

  it('infers exact types', () => {
    expectTypeOf<z.output<typeof Body.post>>().toEqualTypeOf<{
      name: string;
      active: boolean;
      featured: boolean;
      title: string | null;
      price: number;
      slug: string | undefined;
      include: { products_ids: number[]; brands_ids: number[] };
    }>();
    expectTypeOf<z.output<typeof Body.put>>().toEqualTypeOf<{
      name: string;
      active: boolean;
      featured?: boolean;
      title?: string | null;
      price?: number;
      slug?: string;
      include?: { products_ids?: number[]; brands_ids?: number[] };
    }>();
  });

  it('has a JSON schema with defaults', () => {
    expect(inputSchema(Body.post)).toMatchObject({
      required: ['name', 'active'],
      properties: {
        name: { type: 'string', maxLength: 10 },
        featured: { default: false },
        title: { default: null },
        price: { type: 'number', default: 0.5 },
        include: { type: 'object', default: {} },
      },
    });
    expect(inputSchema(Body.put)).toMatchObject({ required: ['name', 'active'] });
    expect(JSON.stringify(inputSchema(Body.put))).not.toContain('default');
  });
});
