import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import { bool } from '../../src/wire/bool.ts';
import { ids } from '../../src/wire/id.ts';
import { money } from '../../src/wire/money.ts';
import { orNull } from '../../src/wire/or-null.ts';
import { request } from '../../src/wire/request.ts';
import { slug } from '../../src/wire/slug.ts';
import { line } from '../../src/wire/text.ts';
import { anything, outcome, refused, sent } from './outcome.ts';

const Restrictions = request({ optional: { products_ids: [ids(), []], brands_ids: [ids(), []] } });
const Body = request({
  required: { name: line(10), active: bool },
  optional: {
    featured: [bool, false],
    title: [orNull(line(10)), null],
    price: [money, 0.5],
    slug: [slug(10), undefined],
    include: [Restrictions, {}],
  },
});

describe('request', () => {
  it('applies defaults on POST', () => {
    expect(outcome(Body.post, { name: ' a ', active: 1, id: 7 })).toEqual({
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

  it('leaves out what PUT does not get', () => {
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

  it.each([['post' as const], ['put' as const]])('%s needs the required fields', (which) => {
    expect(outcome(Body[which], {})).toEqual({
      errors: { name: ['Required.'], active: ['Required.'] },
    });
    expect(outcome(Body[which], { name: 'a', active: true, featured: null, include: 4 })).toEqual({
      errors: { featured: ['Must be true or false.'], include: ['Must be an object.'] },
    });
    expect(outcome(Body[which], [])).toEqual(refused('Must be an object.'));
  });

  it('never throws', () => {
    for (const value of anything) {
      outcome(Body.post, value);
      outcome(Body.put, { name: value, active: value, title: value, price: value, include: value });
    }
  });

  it('has exact types', () => {
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

  it('is documented, defaults included', () => {
    expect(sent(Body.post)).toMatchObject({
      required: ['name', 'active'],
      properties: {
        name: { type: 'string', maxLength: 10 },
        featured: { default: false },
        title: { default: null },
        price: { type: 'number', default: 0.5 },
        include: { type: 'object', default: {} },
      },
    });
    expect(sent(Body.put)).toMatchObject({ required: ['name', 'active'] });
    expect(JSON.stringify(sent(Body.put))).not.toContain('default');
  });
});
