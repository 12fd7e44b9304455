import { describe, expect, it } from 'vitest';
import { dateTimeInput } from '../../../../src/base/codecs/fields/date-time.ts';
import { parseDayRange } from '../../../../src/base/codecs/fields/local-time.ts';
import { dateTimeFaults } from '../../../../src/base/codecs/fields/read-date-time.ts';
import { runInZone } from '../../../../src/base/codecs/fields/zone.ts';
import { anyJsonValues, parseOutcome, bodyError, inputSchema } from '../parse-outcome.ts';

const inSaoPaulo = <T>(render: () => T) => runInZone('America/Sao_Paulo', render);
const iso = (value: unknown) => new Date(value as number).toISOString();

describe('dateTimeInput', () => {
  it.each([
    ['2031-03-05 09:04:07', '2031-03-05T12:04:07.000Z'],
    ['2031-03-05 9:04:07', '2031-03-05T12:04:07.000Z'],
    ['2031-03-05 9:04:07.5', '2031-03-05T12:04:07.500Z'],
    ['2031-03-05 9:04:07.123999', '2031-03-05T12:04:07.123Z'],
    ['2031-03-05T09:04:07Z', '2031-03-05T09:04:07.000Z'],
    ['2031-03-05T09:04:07.250z', '2031-03-05T09:04:07.250Z'],
    ['2031-03-05T09:04+05:30', '2031-03-05T03:34:00.000Z'],
    ['2031-03-05T09:04:07-0300', '2031-03-05T12:04:07.000Z'],
    ['2031-03-05T09:04:07-03', '2031-03-05T12:04:07.000Z'],
    ['2028-02-29 00:00:00', '2028-02-29T03:00:00.000Z'],
  ])('parses %s', (text, expected) => {
    expect(iso(inSaoPaulo(() => dateTimeInput.parse(text)))).toBe(expected);
  });

  it('parses a DateTime object in its own zone', () => {
    const object = { date: '2031-03-05 9:04:07.000000', timezone_type: 3, timezone: 'Asia/Tokyo' };
    expect(iso(inSaoPaulo(() => dateTimeInput.parse(object)))).toBe('2031-03-05T00:04:07.000Z');
  });

  it.each([
    // A gap: 02:00 to 03:00 does not exist (in Sao Paulo 00:00 to 01:00).
    ['America/New_York', '2024-03-10 01:59:59', '2024-03-10T06:59:59.000Z'],
    ['America/New_York', '2024-03-10 02:00:00', '2024-03-10T07:00:00.000Z'],
    ['America/New_York', '2024-03-10 02:30:00', '2024-03-10T07:30:00.000Z'],
    ['America/New_York', '2024-03-10 03:00:00', '2024-03-10T07:00:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04 00:00:00', '2018-11-04T03:00:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04 00:30:00', '2018-11-04T03:30:00.000Z'],
    ['America/Sao_Paulo', '2018-11-04 01:00:00', '2018-11-04T03:00:00.000Z'],
    // An overlap: the first of the two counts.
    ['America/New_York', '2024-11-03 01:30:00', '2024-11-03T05:30:00.000Z'],
    ['America/New_York', '2024-11-03 02:00:00', '2024-11-03T07:00:00.000Z'],
    ['America/Sao_Paulo', '2018-02-17 23:30:00', '2018-02-18T01:30:00.000Z'],
    ['America/Sao_Paulo', '2018-02-18 00:00:00', '2018-02-18T03:00:00.000Z'],
  ])('resolves a clock change in %s at %s', (zone, text, expected) => {
    expect(iso(runInZone(zone, () => dateTimeInput.parse(text)))).toBe(expected);
  });

  it.each([
    ['2031-02-29 00:00:00'],
    ['2031-13-01 00:00:00'],
    ['2031-00-01 00:00:00'],
    ['2031-03-05 09:60:00'],
    ['2031-03-05 09:04:60'],
    ['2031-3-5 09:04:07'],
    ['2031-03-05T09:04:07+24:00'],
    ['0000-01-01 00:00:00'],
    ['9999-12-31 23:59:59'],
    ['next monday'],
    [''],
    [null],
    [{ date: '2031-03-05 9:04:07' }],
    [{ date: '2031-03-05 9:04:07', timezone_type: 3, timezone: 'Mars/Olympus' }],
  ])('rejects %j', (value) => {
    expect(inSaoPaulo(() => parseOutcome(dateTimeInput, value))).toEqual(
      bodyError(dateTimeFaults.unread),
    );
  });

  it('never throws on any JSON value', () => {
    for (const value of anyJsonValues) {
      expect(() => inSaoPaulo(() => parseOutcome(dateTimeInput, value))).not.toThrow();
    }
  });

  it('has a JSON schema', () => {
    expect(inputSchema(dateTimeInput)).toMatchObject({
      anyOf: [{ type: 'string' }, { $ref: '#/$defs/DateTimeInput' }],
      $defs: { DateTimeInput: { type: 'object', required: ['date', 'timezone'] } },
    });
  });
});

describe('parseDayRange', () => {
  it.each([
    ['2031-03-05', '2031-03-05', '2031-03-05T03:00:00.000Z', '2031-03-06T03:00:00.000Z'],
    ['2031-03-05', '2031-03-07', '2031-03-05T03:00:00.000Z', '2031-03-08T03:00:00.000Z'],
    // A day of 23 hours that starts at 01:00, and one of 25 hours with 23:00 to 24:00 twice.
    ['2018-11-04', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
    ['2018-02-17', '2018-02-17', '2018-02-17T02:00:00.000Z', '2018-02-18T03:00:00.000Z'],
  ])('returns the range from %s to %s', (from, to, start, end) => {
    expect(parseDayRange(from, to, 'America/Sao_Paulo')?.map(iso)).toEqual([start, end]);
  });
  it.each([
    ['2031-03-06', '2031-03-05'],
    ['2031-02-30', '2031-03-05'],
    ['2031-03-05', ''],
    ['0000-01-01', '0000-01-01'],
  ])('rejects the range from %s to %s', (from, to) =>
    expect(parseDayRange(from, to, 'UTC')).toBeUndefined(),
  );
});
