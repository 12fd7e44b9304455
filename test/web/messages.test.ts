import { describe, expect, it } from 'vitest';
import { languages } from '../../src/base/languages.ts';
import { dangerousScopes, scopes } from '../../src/data/grants/scopes.ts';
import { formatWaitingTime } from '../../src/web/components/time.tsx';
import { joinHyphens, messagesFor } from '../../src/web/texts/messages.ts';

/** Returns every message of a language with its path. */
function flatten(value: unknown, prefix = ''): [string, string][] {
  if (typeof value === 'string') return [[prefix, value]];
  return Object.entries(value as object).flatMap(([key, inner]) =>
    flatten(inner, prefix === '' ? key : `${prefix}/${key}`),
  );
}

const english = new Map(flatten(messagesFor('en')));
/** Words that are the same in several languages. */
const sharedWords = new Set([
  'API',
  'Alias',
  'Apps',
  'Client id',
  'E-mail',
  'Menu',
  'Partner',
  'Status',
  'Stock',
  'URL',
  'Webhooks',
  'X-Request-Id',
  'app',
  'no',
  'No',
]);

const isShared = (text: string) =>
  sharedWords.has(text) || !/\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ''));

const placeholdersOf = (text = '') => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe('joinHyphens', () => {
  it.each([
    ['send an e-mail to two-step e-mails', 'send an e\u2011mail to two-step e\u2011mails'],
    ['E-mail. E-mails', 'E-mail. E\u2011mails'],
    ['guardá-lo, envie-a.', 'guardá\u2011lo, envie\u2011a.'],
    ['X-Request-Id, loja-a.test, pós-venda', 'X-Request-Id, loja-a.test, pós-venda'],
  ])('keeps the parts of some words in one line: %s', (text, joined) => {
    expect(joinHyphens(text)).toBe(joined);
  });

  it('has made the texts of pages', () => {
    expect(JSON.stringify(messagesFor('en'))).not.toMatch(/ e-mail/);
  });
});

describe.each(languages)('the messages in %s', (language) => {
  const texts = flatten(messagesFor(language));

  it('have the same keys as English, in the same order', () => {
    expect(texts.map(([key]) => key)).toEqual([...english.keys()]);
  });

  it('have the same placeholders as English', () => {
    for (const [key, text] of texts) {
      expect(placeholdersOf(text), key).toEqual(placeholdersOf(english.get(key)));
    }
  });

  it('differ from English and have no stray white space', () => {
    for (const [key, text] of texts) {
      expect(text, key).toMatch(/^\S(.*\S)?$/);
      expect(text, key).not.toMatch(/ [.,;:?!]| {2}/);
      if (language !== 'en' && !isShared(text)) expect(text, key).not.toBe(english.get(key));
    }
  });

  it('say a number beside its noun only where it is never one', () => {
    const plural =
      /\{(?:count|rows|minutes|days|hours|stores|products|orders|people|requests)\} \p{L}{4}/u;
    const limits = /(?:^|\/)(?:tooMany|tooManyToday|heldMany)$/;
    const wrong = texts.filter(([key, text]) => plural.test(text) && !limits.test(key));
    expect(wrong).toEqual([]);
  });

  it('describe every scope and the consequences of the dangerous ones', () => {
    const { meanings, consequences } = messagesFor(language).scopes;
    expect(Object.keys(meanings)).toEqual(scopes);
    expect(Object.keys(consequences)).toEqual(dangerousScopes);
  });
});

describe('formatWaitingTime', () => {
  it.each([
    ['en', 1, '1 second'],
    ['en', 30, '30 seconds'],
    ['pt-BR', 60, '60 segundos'],
    ['pt-BR', 90, '2 minutos'],
    ['es', 900, '15 minutos'],
  ] as const)('formats in %s a wait of %i seconds as "%s"', (language, seconds, text) => {
    expect(formatWaitingTime(language, seconds)).toBe(text);
  });
});
