import { describe, expect, it } from 'vitest';
import { dangerousScopes } from '../../src/access/scope-classes.ts';
import { scopes } from '../../src/access/scopes.ts';
import { timeText } from '../../src/pages/time-text.ts';
import { languages } from '../../src/pages/words/languages.ts';
import { wordsOf } from '../../src/pages/words/words-of.ts';

/** Every sentence of a dictionary by its dotted key. */
function sentencesOf(value: unknown, prefix = ''): [string, string][] {
  if (typeof value === 'string') return [[prefix, value]];
  return Object.entries(value as object).flatMap(([key, inner]) =>
    sentencesOf(inner, prefix === '' ? key : `${prefix}/${key}`),
  );
}

const english = new Map(sentencesOf(wordsOf('en')));
const placesOf = (text = '') => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(languages)('the words in %s', (language) => {
  const sentences = sentencesOf(wordsOf(language));

  it('have the keys of English, in its order', () => {
    expect(sentences.map(([key]) => key)).toEqual([...english.keys()]);
  });

  it('have a place for the same things', () => {
    for (const [key, text] of sentences) {
      expect(placesOf(text), key).toEqual(placesOf(english.get(key)));
    }
  });

  it('say something of their own, without white space at the ends or before a full stop', () => {
    for (const [key, text] of sentences) {
      expect(text, key).toMatch(/^\S(.*\S)?$/);
      expect(text, key).not.toMatch(/ [.,;:?!]| {2}/);
      if (language !== 'en') expect(text, key).not.toBe(english.get(key));
    }
  });

  it('tell every scope, and what may come of the dangerous ones', () => {
    const { meanings, consequences } = wordsOf(language).scopes;
    expect(Object.keys(meanings)).toEqual(scopes);
    expect(Object.keys(consequences)).toEqual(dangerousScopes);
  });
});

describe('timeText', () => {
  it.each([
    ['en', 1, '1 second'],
    ['en', 30, '30 seconds'],
    ['pt-BR', 60, '60 segundos'],
    ['pt-BR', 90, '2 minutos'],
    ['es', 900, '15 minutos'],
  ] as const)('%s: %i seconds are %s', (language, seconds, text) => {
    expect(timeText(language, seconds)).toBe(text);
  });
});
