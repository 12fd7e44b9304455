import { describe, expect, it } from 'vitest';
import {
  countdownEndsAt,
  isExpired,
  periodErrors,
} from '../../../../src/base/codecs/fields/period.ts';

const period = (more: object) => ({ stopwatch: null, start_at: null, end_at: null, ...more });

describe('periodErrors', () => {
  it.each([
    [{}, []],
    [{ start_at: 1 }, []],
    [{ start_at: 1, end_at: 2 }, []],
    [{ start_at: 2, end_at: 2 }, ['end_at']],
    [{ start_at: 3, end_at: 2 }, ['end_at']],
    [{ stopwatch: 'period' }, ['end_at']],
    [{ stopwatch: 'period', end_at: 2 }, []],
    [{ stopwatch: 'daily' }, []],
  ])('checks %j', (more, fields) => {
    expect(Object.keys(periodErrors(period(more)))).toEqual(fields);
  });
});

describe('countdownEndsAt', () => {
  const now = Date.parse('2031-03-05T01:00:00Z');

  it('returns the end of the local day, or of the period', () => {
    const daily = period({ stopwatch: 'daily' });
    const end = (zone: string) => countdownEndsAt(daily, now, zone);
    // In that zone it is still the evening of the fourth.
    expect(end('America/Sao_Paulo')).toBe(Date.parse('2031-03-05T03:00:00Z'));
    expect(end('UTC')).toBe(Date.parse('2031-03-06T00:00:00Z'));
    expect(countdownEndsAt(period({ stopwatch: 'period', end_at: 7 }), now, 'UTC')).toBe(7);
    expect(countdownEndsAt(period({ end_at: 7 }), now, 'UTC')).toBeNull();
  });
});

describe('isExpired', () => {
  it('is true only after the end', () => {
    expect([7, 8, null].map((end_at) => isExpired({ end_at }, 8))).toEqual([true, false, false]);
  });
});
