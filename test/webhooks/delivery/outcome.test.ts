import { describe, expect, it } from 'vitest';
import {
  errorOfStatus,
  errorOfThrown,
  classifyOutcome,
  type Outcome,
  parseRetryAfter,
} from '../../../src/webhooks/delivery/outcome.ts';

const now = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

describe('classifyOutcome', () => {
  const statuses: [Outcome, number[]][] = [
    ['delivered', [200, 201, 202, 204, 299]],
    ['endpoint_failure', [301, 302, 307, 401, 403, 404, 408, 500, 502, 503, 504, 521, 526, 530]],
    ['throttled', [429]],
    ['payload_rejected', [400, 405, 409, 413, 415, 422]],
    ['gone', [410]],
  ];

  it.each(
    statuses.flatMap(([outcome, ofOutcome]) =>
      ofOutcome.map((status) => [status, outcome] as const),
    ),
  )('classifies status %i as %s', (status, outcome) => {
    expect(classifyOutcome({ status, error: errorOfStatus(status, '') }, null)).toBe(outcome);
  });

  it('fault 27: reports an unknown name as dns, from the edge or thrown by fetch', () => {
    expect(errorOfStatus(530, 'error code: 1016')).toBe('dns');
    expect(errorOfThrown(new Error('DNS lookup failed'))).toBe('dns');
  });

  it('fault 28: reports a failed TLS handshake as tls, from the edge or thrown by fetch', () => {
    expect([525, 526].map((status) => errorOfStatus(status, ''))).toEqual(['tls', 'tls']);
    expect(errorOfThrown(new Error('TLS peer certificate is not trusted'))).toBe('tls');
  });

  it('treats 503 with Retry-After as throttling, and any other 5xx with it as a failure', () => {
    expect(classifyOutcome({ status: 503, error: 'http_5xx' }, 0)).toBe('throttled');
    expect(classifyOutcome({ status: 500, error: 'http_5xx' }, 1_000)).toBe('endpoint_failure');
  });

  it.each(['timeout', 'connect', 'dns', 'tls', 'blocked_url'] as const)(
    'counts %s without a response as a failure of the endpoint',
    (error) => {
      expect(classifyOutcome({ status: null, error }, null)).toBe('endpoint_failure');
    },
  );
});

describe('fault 31: parseRetryAfter', () => {
  it.each([
    ['reads seconds', '120', 120_000],
    ['accepts a pause of zero', '0', 0],
    ['reads a date', 'Thu, 01 Jan 2026 00:05:00 GMT', 300_000],
    ['returns 0 for a date that has passed', 'Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['limits seconds to 12 hours', '1000000000', 12 * hour],
    ['limits a date to 12 hours', 'Fri, 01 Jan 2027 00:00:00 GMT', 12 * hour],
    ['ignores spaces around the value', ' 7 ', 7_000],
    ['rejects a negative number', '-5', null],
    ['rejects an exponent', '1e9', null],
    ['rejects a fraction', '1.5', null],
    ['rejects a word', 'abc', null],
    ['rejects a date in another format', '2026-01-01T00:05:00Z', null],
    ['rejects a day that does not exist', 'Thu, 99 Jan 2026 00:05:00 GMT', null],
    ['rejects an empty value', '', null],
    ['returns null without the header', undefined, null],
  ])('%s', (_name, value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
