import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateTime, localDateTime } from '../../src/base/codecs/fields/date-time.ts';
import { runInZone } from '../../src/base/codecs/fields/zone.ts';
import { decodeDates } from '../../src/client/core/dates.ts';

const dateFields = new Set(['time', 'updated_at']);

/**
 * Zones with changes of the clock in different months, by half an hour, and of old offsets with
 * seconds.
 */
const zones = [
  'America/Sao_Paulo',
  'Europe/London',
  'Australia/Lord_Howe',
  'America/New_York',
  'UTC',
];
const earliest = Date.parse('1900-01-01T00:00:00Z');
const latest = Date.parse('2100-01-01T00:00:00Z');
const seconds = fc.integer({ min: earliest / 1_000, max: latest / 1_000 });

describe('decodeDates', () => {
  it('returns the instant that the service meant, in every zone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), seconds, (zone, second) => {
        const [sent, text] = runInZone(zone, () => [
          dateTime.decode(second * 1_000),
          localDateTime.decode(second * 1_000),
        ]);
        // The hour that the clock repeats is ambiguous as a text; both sides read it as the first.
        const meant = new Date(runInZone(zone, () => dateTime.encode(sent)));
        expect(decodeDates({ at: sent, time: text }, dateFields)).toEqual({
          at: meant,
          time: meant,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('reads the three forms, wherever they stand', () => {
    const at = { date: '2031-03-05 9:04:07', timezone_type: 3, timezone: 'America/Sao_Paulo' };
    const instant = new Date('2031-03-05T12:04:07Z');
    const body = {
      time: '2031-03-05 09:04:07',
      name: '2031-03-05 09:04:07',
      updated_at: '2031-03-05T12:04:07Z',
      resource: { skus: { data: [{ created_at: at }, { created_at: null }] } },
    };
    expect(decodeDates(body, dateFields)).toEqual({
      time: instant,
      name: '2031-03-05 09:04:07',
      updated_at: instant,
      resource: { skus: { data: [{ created_at: instant }, { created_at: null }] } },
    });
  });

  it('keeps fractions of a second, and texts that are no dates', () => {
    const at = { date: '2031-03-05 9:04:07.123000', timezone_type: 3, timezone: 'UTC' };
    expect(decodeDates([at, { time: 'soon' }], dateFields)).toEqual([
      new Date('2031-03-05T09:04:07.123Z'),
      { time: 'soon' },
    ]);
  });
});
