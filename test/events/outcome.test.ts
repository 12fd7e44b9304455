import { describe, expect, it } from 'vitest';
import { errorOfCode, errorOfThrown, outcomeOf, type Outcome } from '../../src/events/outcome.ts';
import { retryAfterMs } from '../../src/events/retry-after.ts';

const now = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

describe('the class of an answer', () => {
  const codes: [Outcome, number[]][] = [
    ['delivered', [200, 201, 202, 204, 299]],
    ['endpoint failure', [301, 302, 307, 401, 403, 404, 408, 500, 502, 503, 504, 521, 526, 530]],
    ['slow down', [429]],
    ['payload refused', [400, 405, 409, 413, 415, 422]],
    ['gone', [410]],
  ];

  it.each(codes.flatMap(([outcome, of]) => of.map((code) => [code, outcome] as const)))(
    '%i: %s',
    (code, outcome) => {
      expect(outcomeOf({ code, error: errorOfCode(code, '') }, null)).toBe(outcome);
    },
  );

  it('fault 27: a name that does not resolve is dns, as an answer of the edge or thrown', () => {
    expect(errorOfCode(530, 'error code: 1016')).toBe('dns');
    expect(errorOfThrown(new Error('DNS lookup failed'))).toBe('dns');
  });

  it('fault 28: a failed handshake is tls, as an answer of the edge or thrown', () => {
    expect([525, 526].map((code) => errorOfCode(code, ''))).toEqual(['tls', 'tls']);
    expect(errorOfThrown(new Error('TLS peer certificate is not trusted'))).toBe('tls');
  });

  it('503 with a pause asks to slow down, another 5xx with one has failed', () => {
    expect(outcomeOf({ code: 503, error: 'http_5xx' }, 0)).toBe('slow down');
    expect(outcomeOf({ code: 500, error: 'http_5xx' }, 1_000)).toBe('endpoint failure');
  });

  it.each(['timeout', 'connect', 'dns', 'tls', 'blocked_url'] as const)(
    '%s, without an answer, is a failure of the endpoint',
    (error) => {
      expect(outcomeOf({ code: null, error }, null)).toBe('endpoint failure');
    },
  );
});

describe('fault 31: Retry-After', () => {
  it.each([
    ['seconds', '120', 120_000],
    ['no pause', '0', 0],
    ['a date', 'Thu, 01 Jan 2026 00:05:00 GMT', 300_000],
    ['a date that has passed', 'Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['12 hours at most, of seconds', '1000000000', 12 * hour],
    ['12 hours at most, of a date', 'Fri, 01 Jan 2027 00:00:00 GMT', 12 * hour],
    ['spaces around', ' 7 ', 7_000],
    ['nothing of a negative number', '-5', null],
    ['nothing of an exponent', '1e9', null],
    ['nothing of a fraction', '1.5', null],
    ['nothing of a word', 'abc', null],
    ['nothing of a date of another form', '2026-01-01T00:05:00Z', null],
    ['nothing of a day that is none', 'Thu, 99 Jan 2026 00:05:00 GMT', null],
    ['nothing of an empty one', '', null],
    ['nothing where there is none', undefined, null],
  ])('%s', (_name, value, expected) => {
    expect(retryAfterMs(value, now)).toBe(expected);
  });
});
