import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  dateTime,
  dateTimeInZone,
  dateTimeMicro,
  isoDateTime,
  localDateTime,
  localDateTimeInZone,
} from '../../../../src/base/codecs/fields/date-time.ts';
import { formatLocalTime } from '../../../../src/base/codecs/fields/local-time.ts';
import { runInZone } from '../../../../src/base/codecs/fields/zone.ts';
import { outputSchema } from '../parse-outcome.ts';

const ZONE = 'America/Sao_Paulo';
const AT = Date.parse('2031-03-05T12:04:07.890Z');

describe('date codecs', () => {
  it('return a DateTime object with truncated seconds and an unpadded hour', () => {
    expect(runInZone(ZONE, () => dateTime.parse(AT))).toEqual({
      date: '2031-03-05 9:04:07',
      timezone_type: 3,
      timezone: ZONE,
    });
  });
  it.each([
    ['2031-03-05T03:00:00Z', '2031-03-05 0:00:00'],
    ['2031-03-05T13:00:00Z', '2031-03-05 10:00:00'],
    ['2031-03-06T02:59:59.999Z', '2031-03-05 23:59:59'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31 20:59:59'],
  ])('return the local time of %s', (text, date) => {
    expect(runInZone(ZONE, () => dateTime.parse(Date.parse(text))).date).toBe(date);
  });
  it('return six decimals with dateTimeMicro', () => {
    expect(runInZone(ZONE, () => dateTimeMicro.parse(AT)).date).toBe('2031-03-05 9:04:07.890000');
  });
  it('return a padded local time with localDateTime', () => {
    expect(runInZone(ZONE, () => localDateTime.parse(AT))).toBe('2031-03-05 09:04:07');
    expect(formatLocalTime(AT, ZONE)).toBe('2031-03-05 09:04:07');
  });
  it('use the zone of the value with dateTimeInZone', () => {
    const stored = { at: AT, zone: 'Asia/Tokyo' };
    expect(dateTimeInZone.parse(stored).date).toBe('2031-03-05 21:04:07');
    expect(localDateTimeInZone.parse(stored)).toBe('2031-03-05 21:04:07');
  });
  it('return ISO 8601 in UTC with isoDateTime', () =>
    expect(isoDateTime.parse(AT)).toBe('2031-03-05T12:04:07Z'));
  it('throw outside runInZone', () => expect(() => dateTime.parse(AT)).toThrow('runInZone'));
  it('can be nullable', () => {
    expect(runInZone(ZONE, () => dateTime.nullable().parse(null))).toBeNull();
  });
  it('decode what they encode', () => {
    const whole = Math.floor(AT / 1000) * 1000;
    runInZone(ZONE, () => {
      expect(z.encode(dateTime, dateTime.parse(AT))).toBe(whole);
      expect(z.encode(dateTimeMicro, dateTimeMicro.parse(AT))).toBe(AT);
      expect(z.encode(localDateTime, localDateTime.parse(AT))).toBe(whole);
      expect(z.encode(isoDateTime, isoDateTime.parse(AT))).toBe(whole);
      const wrong = { date: 'x', timezone_type: 3 as const, timezone: 'Mars/Olympus' };
      expect(() => z.encode(dateTime, wrong)).toThrow(z.ZodError);
    });
  });
  it('have a JSON schema', () => {
    expect(outputSchema(z.object({ at: dateTime }))).toMatchObject({
      properties: { at: { $ref: '#/$defs/DateTime' } },
      $defs: { DateTime: { required: ['date', 'timezone_type', 'timezone'] } },
    });
    expect(outputSchema(isoDateTime)).toEqual({ type: 'string', format: 'date-time' });
  });
});
