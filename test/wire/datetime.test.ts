import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  dateTime,
  dateTimeIn,
  dateTimeMicro,
  iso,
  local,
  localIn,
  localTime,
} from '../../src/wire/datetime.ts';
import { inZone } from '../../src/wire/zone.ts';
import { shown } from './outcome.ts';

const ZONE = 'America/Sao_Paulo';
const AT = Date.parse('2031-03-05T12:04:07.890Z');

describe('reply moments', () => {
  it('show a DateTime object, seconds truncated and hour not padded', () => {
    expect(inZone(ZONE, () => dateTime.parse(AT))).toEqual({
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
  ])('%s', (text, date) => {
    expect(inZone(ZONE, () => dateTime.parse(Date.parse(text))).date).toBe(date);
  });
  it('show six digits in transactions', () => {
    expect(inZone(ZONE, () => dateTimeMicro.parse(AT)).date).toBe('2031-03-05 9:04:07.890000');
  });
  it('show a padded local text', () => {
    expect(inZone(ZONE, () => local.parse(AT))).toBe('2031-03-05 09:04:07');
    expect(localTime(AT, ZONE)).toBe('2031-03-05 09:04:07');
  });
  it('show zones of their own', () => {
    const stored = { at: AT, zone: 'Asia/Tokyo' };
    expect(dateTimeIn.parse(stored).date).toBe('2031-03-05 21:04:07');
    expect(localIn.parse(stored)).toBe('2031-03-05 21:04:07');
  });
  it('show ISO 8601 in UTC', () => expect(iso.parse(AT)).toBe('2031-03-05T12:04:07Z'));
  it('need a zone', () => expect(() => dateTime.parse(AT)).toThrow('inZone'));
  it('can be null', () => {
    expect(inZone(ZONE, () => dateTime.nullable().parse(null))).toBeNull();
  });
  it('read back what they show', () => {
    const whole = Math.floor(AT / 1000) * 1000;
    inZone(ZONE, () => {
      expect(z.encode(dateTime, dateTime.parse(AT))).toBe(whole);
      expect(z.encode(dateTimeMicro, dateTimeMicro.parse(AT))).toBe(AT);
      expect(z.encode(local, local.parse(AT))).toBe(whole);
      expect(z.encode(iso, iso.parse(AT))).toBe(whole);
      const wrong = { date: 'x', timezone_type: 3 as const, timezone: 'Mars/Olympus' };
      expect(() => z.encode(dateTime, wrong)).toThrow(z.ZodError);
    });
  });
  it('are documented', () => {
    expect(shown(z.object({ at: dateTime }))).toMatchObject({
      properties: { at: { $ref: '#/$defs/DateTime' } },
      $defs: { DateTime: { required: ['date', 'timezone_type', 'timezone'] } },
    });
    expect(shown(iso)).toEqual({ type: 'string', format: 'date-time' });
  });
});
