import { describe, expect, it } from 'vitest';
import { offsetAt } from '../../../../src/base/codecs/fields/local-time.ts';
import { currentZone, runInZone, isZone } from '../../../../src/base/codecs/fields/zone.ts';

describe('runInZone', () => {
  it('sets the zone only for its call', () => {
    expect(() => currentZone()).toThrow('runInZone');
    const seen = runInZone('UTC', () => [runInZone('Asia/Tokyo', currentZone), currentZone()]);
    expect(seen).toEqual(['Asia/Tokyo', 'UTC']);
    expect(() => currentZone()).toThrow('runInZone');
  });
  it('restores the zone after a throw', () => {
    expect(() =>
      runInZone('UTC', () => {
        throw new Error('x');
      }),
    ).toThrow('x');
    expect(() => currentZone()).toThrow('runInZone');
  });
  it('throws for an asynchronous function', () => {
    expect(() => runInZone('UTC', async () => 1)).toThrow(TypeError);
  });
});

describe('isZone', () => {
  it('recognizes IANA zones', () => {
    expect(['America/Sao_Paulo', 'UTC', 'Mars/Olympus', ''].map(isZone)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('offsetAt', () => {
  const hours = (text: string, zone: string) => offsetAt(Date.parse(text), zone) / 3_600_000;
  it.each([
    ['2031-03-05T12:00:00Z', 'America/Sao_Paulo', -3],
    ['2018-11-04T02:59:59Z', 'America/Sao_Paulo', -3],
    ['2018-11-04T03:00:00Z', 'America/Sao_Paulo', -2],
    ['2024-03-10T06:59:59.999Z', 'America/New_York', -5],
    ['2024-03-10T07:00:00Z', 'America/New_York', -4],
    ['2024-04-06T14:59:59Z', 'Australia/Lord_Howe', 11],
    ['2024-04-06T15:00:00Z', 'Australia/Lord_Howe', 10.5],
    ['2024-10-05T15:29:59Z', 'Australia/Lord_Howe', 10.5],
    ['2024-10-05T15:30:00Z', 'Australia/Lord_Howe', 11],
    ['1969-12-31T23:59:59.500Z', 'Asia/Kathmandu', 5.5],
    ['2024-01-01T00:00:00Z', 'Asia/Kathmandu', 5.75],
  ])('returns the offset at %s in %s', (text, zone, expected) =>
    expect(hours(text, zone)).toBe(expected),
  );

  it('agrees with Intl for every hour of a year', () => {
    const zone = 'America/New_York';
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    for (let hour = 0; hour < 24 * 366; hour += 1) {
      const instant = Date.UTC(2024, 0, 1, hour, 17, 5);
      const local = Date.parse(`${format.format(instant).replace(' ', 'T')}Z`);
      expect(offsetAt(instant, zone)).toBe(local - instant);
    }
  });
});
