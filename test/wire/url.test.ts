import { describe, expect, it } from 'vitest';
import { url } from '../../src/wire/url.ts';
import { outcome, refused, sent } from './outcome.ts';

const SENTENCE = 'Must be an absolute http or https URL.';

describe('url', () => {
  it.each([
    ['https://example.com'],
    ['HTTP://Example.com:8080/a?b=c#d'],
    ['https://exámple.com/ação'],
    ['http://[::1]/x'],
    ['https://example.com/@user'],
    [`https://example.com/${'a'.repeat(2028)}`],
  ])('%s is stored as sent', (value) => {
    expect(outcome(url(), value)).toEqual({ value });
  });

  it.each([
    [''],
    ['example.com'],
    ['//example.com'],
    ['/a'],
    ['ftp://example.com'],
    ['javascript:alert(1)'],
    ['http:example.com'],
    ['http:///example.com'],
    ['http://'],
    ['https://?a'],
    ['https://user@example.com'],
    ['https://user:pass@example.com'],
    ['https://@example.com'],
    [' https://example.com'],
    ['https://example.com/a b'],
    ['https://exam\nple.com'],
    ['https:\\\\example.com'],
    ['https://example.com\\@evil.com'],
    ['https://example.com:99999'],
    ['https://exa%00mple.com'],
    ['https://example.com/\ud800'],
    [null],
    [4],
  ])('%j is refused', (value) => {
    expect(outcome(url(), value)).toEqual(refused(SENTENCE));
  });

  it('has at most 2,048 characters', () => {
    expect(outcome(url(), `https://example.com/${'a'.repeat(2029)}`)).toEqual(
      refused('Must be at most 2,048 characters.'),
    );
  });

  it('can be https alone', () => {
    const sentence = 'Must be an absolute https URL.';
    expect(outcome(url({ https: true }), 'http://example.com')).toEqual(refused(sentence));
    expect(outcome(url({ https: true }), 'HTTPS://example.com')).toEqual({
      value: 'HTTPS://example.com',
    });
  });

  it('is documented', () => {
    expect(sent(url())).toEqual({ type: 'string', format: 'uri', maxLength: 2048 });
  });
});
