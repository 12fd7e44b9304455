import { describe, expect, it } from 'vitest';
import { slug, slugify } from '../../src/wire/slug.ts';
import { outcome, refused, sent } from './outcome.ts';

describe('slugify', () => {
  it.each([
    ['Blue Shirt', 'blue-shirt'],
    ['  Ação & Reação!! ', 'acao-reacao'],
    ['İstanbul', 'istanbul'],
    ['a__b--c', 'a-b-c'],
    ['---', ''],
    ['日本', ''],
    ['a\ud800b', 'a-b'],
  ])('%j becomes %j', (name, made) => {
    expect(slugify(name)).toBe(made);
    expect(slugify(made)).toBe(made);
  });
});

describe('slug', () => {
  it.each([[undefined], [null], [''], ['!']])('%j is left to the name', (value) => {
    expect(outcome(slug(10), value)).toEqual({ value: undefined });
  });
  it('normalises what is sent', () => {
    expect(outcome(slug(10), 'Olá Mundo')).toEqual({ value: 'ola-mundo' });
  });
  it('refuses other types and long ones', () => {
    expect(outcome(slug(10), 4)).toEqual(refused('Must be text.'));
    expect(outcome(slug(3), 'abcd')).toEqual(refused('Must be at most 3 characters.'));
  });
  it('is documented as nullable', () => {
    expect(sent(slug(10))).toMatchObject({ anyOf: [{ type: 'string' }, { type: 'null' }] });
  });
});
