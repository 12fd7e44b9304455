import { describe, expect, it } from 'vitest';
import { countdownEnd, isExpired, periodErrors } from '../../src/wire/period.ts';

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
  ])('%j', (more, fields) => {
    expect(Object.keys(periodErrors(period(more)))).toEqual(fields);
  });
});

describe('countdownEnd', () => {
  const now = Date.parse('2031-03-05T01:00:00Z');

  it('is the end of the day of the zone, or of the period', () => {
    const daily = period({ stopwatch: 'daily' });
    const end = (zone: string) => countdownEnd(daily, now, zone);
    // It is still the evening of the fourth there.
    expect(end('America/Sao_Paulo')).toBe(Date.parse('2031-03-05T03:00:00Z'));
    expect(end('UTC')).toBe(Date.parse('2031-03-06T00:00:00Z'));
    expect(countdownEnd(period({ stopwatch: 'period', end_at: 7 }), now, 'UTC')).toBe(7);
    expect(countdownEnd(period({ end_at: 7 }), now, 'UTC')).toBeNull();
  });
});

describe('isExpired', () => {
  it('is so after the end alone', () => {
    expect([7, 8, null].map((end_at) => isExpired({ end_at }, 8))).toEqual([true, false, false]);
  });
});
