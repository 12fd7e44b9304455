import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateTimeInput } from '../../../../src/base/codecs/fields/date-time.ts';
import { formatLocalTime, offsetAt } from '../../../../src/base/codecs/fields/local-time.ts';
import { dateTimeFaults, readDateTime } from '../../../../src/base/codecs/fields/read-date-time.ts';
import { runInZone } from '../../../../src/base/codecs/fields/zone.ts';
import { runsOf } from '../../../support/slow.ts';
import { bodyError, parseOutcome } from '../parse-outcome.ts';

const store = 'America/Sao_Paulo';
const read = (value: unknown) => runInZone(store, () => parseOutcome(dateTimeInput, value));

/** The outcome of a value that is read as this instant. */
const instant = (iso: string) => ({ value: Date.parse(iso) });

const second = '2031-03-05T12:04:07.000Z';
const fraction = '2031-03-05T12:04:07.123Z';
const minute = '2031-03-05T12:04:00.000Z';

describe('a date and time is read as the instant', () => {
  it.each([
    // Python: str, isoformat, ctime, email.utils
    ['2031-03-05 12:04:07+00:00', second],
    ['2031-03-05 09:04:07.123456-03:00', fraction],
    ['2031-03-05T09:04:07', second],
    ['2031-03-05T09:04:07.123456', fraction],
    ['Wed Mar  5 09:04:07 2031', second],
    ['Wed, 05 Mar 2031 12:04:07 -0000', second],
    // Java: Instant, LocalDateTime, OffsetDateTime, ZonedDateTime, Date, Timestamp, Gson
    ['2031-03-05T12:04:07.123456789Z', fraction],
    ['2031-03-05T09:04', minute],
    ['2031-03-05T09:04-03:00', minute],
    ['2031-03-05T13:04:07.123+01:00[Europe/Paris]', fraction],
    ['2031-03-05T12:04:07Z[Europe/London]', second],
    ['2031-03-05T13:04:07+01:00[UTC+01:00]', second],
    ['Wed Mar 05 12:04:07 UTC 2031', second],
    ['Wed Mar 05 09:04:07 GMT-03:00 2031', second],
    ['2031-03-05 09:04:07.123456789', fraction],
    ['Mar 5, 2031, 9:04:07 AM', second],
    ['Mar 5, 2031 9:04:07\u202fAM', second],
    // C#: o, s, u, r, and a local and an offset time
    ['2031-03-05T09:04:07.1234567', fraction],
    ['2031-03-05T09:04:07.1234567-03:00', fraction],
    ['2031-03-05 12:04:07Z', second],
    ['Wed, 05 Mar 2031 12:04:07 GMT', second],
    ['Wednesday, 05 March 2031 09:04:07', second],
    // Go: String, RFC3339Nano, UnixDate, RubyDate, RFC850 with a whole year
    ['2031-03-05 12:04:07 +0000 UTC', second],
    ['2031-03-05 09:04:07.123456789 -0300 -03 m=+0.000012345', fraction],
    ['2031-03-05 13:04:07 +0100 CET', second],
    ['2031-03-05T12:04:07.123456789Z', fraction],
    ['Wed Mar  5 12:04:07 UTC 2031', second],
    ['Wed Mar 05 09:04:07 -0300 2031', second],
    ['2031/03/05 09:04:07', second],
    // PHP: ATOM, ISO8601, expanded, COOKIE, r, v
    ['2031-03-05T09:04:07-03:00', second],
    ['2031-03-05T09:04:07-0300', second],
    ['+2031-03-05T09:04:07-03:00', second],
    ['Wednesday, 05-Mar-2031 09:04:07 -03', second],
    ['Wed, 05 Mar 2031 09:04:07 -0300', second],
    // Ruby: to_s, inspect, of Rails
    ['2031-03-05 09:04:07 -0300', second],
    ['2031-03-05 12:04:07.123456 UTC', fraction],
    ['Wed, 05 Mar 2031 09:04:07.123000000 -03 -03:00', fraction],
    ['Wed, 05 Mar 2031 12:04:07.000000000 UTC +00:00', second],
    // JavaScript: toString, toUTCString, toISOString, Temporal
    ['Wed Mar 05 2031 09:04:07 GMT-0300 (Brasilia Standard Time)', second],
    ['2031-03-05T12:04:07.123Z', fraction],
    ['2031-03-05T09:04:07.123-03:00[America/Sao_Paulo][u-ca=gregory]', fraction],
    ['2031-03-05T09:04:07[America/Sao_Paulo]', second],
    // Databases: PostgreSQL, MySQL, SQL Server
    ['2031-03-05 09:04:07-03', second],
    ['2031-03-05 09:04:07.123456+00', '2031-03-05T09:04:07.123Z'],
    ['1913-12-31 20:53:32-03:06:28', '1914-01-01T00:00:00.000Z'],
    ['2031-03-05 09:04:07.1234567 -03:00', fraction],
    ['Mar  5 2031  9:04AM', minute],
    // Others: Rust, Elixir, Swift, `date`, a form of HTML
    ['2031-03-05 12:04:07.123456789 UTC', fraction],
    ['2031-03-05 9:04:07.0 -03:00:00', second],
    ['2031-03-05 09:04:07-03:00 -03 America/Sao_Paulo', second],
    ['2031-03-05 12:04:07 +0000', second],
    ['Wed Mar  5 09:04:07 AM -03 2031', second],
    // ISO 8601 and RFC 3339
    ['20310305T120407Z', second],
    ['20310305T090407,123', fraction],
    ['20310305T09:04:07-0300', second],
    ['20310305T0904', minute],
    ['2031-03-05t12:04:07.123z', fraction],
    ['2031-03-05T12:04:07-00:00', second],
    ['2031-03-05T24:00:00-03:00', '2031-03-06T03:00:00.000Z'],
    [' 2031-03-05 09:04 ', minute],
    ['Mar 5, 2031 12:04:07 AM', '2031-03-05T03:04:07.000Z'],
    ['Mar 5, 2031 12:04:07 pm', '2031-03-05T15:04:07.000Z'],
  ])('of %s', (text, expected) => {
    expect(read(text)).toEqual(instant(expected));
  });

  it.each([
    [1, '-03:00', second],
    [1, '+00:00', '2031-03-05T09:04:07.000Z'],
    [2, 'Z', '2031-03-05T09:04:07.000Z'],
    [2, 'GMT', '2031-03-05T09:04:07.000Z'],
    [3, 'UTC', '2031-03-05T09:04:07.000Z'],
    [3, 'Europe/Paris', '2031-03-05T08:04:07.000Z'],
    [undefined, '-03:00', second],
  ])('of the object of PHP of type %s in %s', (timezone_type, timezone, expected) => {
    const object = { date: '2031-03-05 09:04:07.000000', timezone_type, timezone };
    expect(read(object)).toEqual(instant(expected));
  });
});

describe('a date and time is refused', () => {
  const { unread, number, order, time, letters, contradiction } = dateTimeFaults;
  it.each<[value: unknown, fault: string]>([
    ['05/03/2031 09:04:07', order],
    ['3/5/2031, 9:04:07 AM', order],
    ['05.03.2031 09:04', order],
    ['05-03-2031 09:04:07', order],
    ['05/03/31 09:04', order],
    ['2031-03-05', time],
    ['1930478647', number],
    ['1930478647.123', number],
    [1_930_478_647, number],
    [1_930_478_647_123, number],
    ['Wed Mar 05 09:04:07 BRT 2031', letters],
    ['2031-03-05 09:04:07 EST', letters],
    ['2031-03-05 09:04:07 (Brasilia Standard Time)', letters],
    [{ date: '2031-03-05 09:04:07.000000', timezone_type: 2, timezone: 'EST' }, letters],
    [{ date: '2031-07-05 09:04:07.000000', timezone_type: 2, timezone: 'CET' }, letters],
    ['2031-03-05T09:04:07+02:00[Europe/Paris]', contradiction],
    ['2031-03-05T09:04:07+00:00[Europe/Paris]', contradiction],
    ['2031-03-05 09:04:07 -0300 UTC', contradiction],
    ['2031-03-05T09:04:07Z-03:00', contradiction],
    ['Thu, 05 Mar 2031 09:04:07 GMT', contradiction],
    [{ date: '2031-03-05T09:04:07Z', timezone: 'America/Sao_Paulo' }, contradiction],
    ['2031-03-05T09:04:07[Mars/Olympus]', unread],
    ['2031-03-05T09:04:07-03:00[!u-ca=hebrew]', unread],
    ['Wed, 05 Mar 31 09:04:07 -0300', unread],
    ['05 mai 2031 09:04:07', unread],
    ['5 de março de 2031 09:04:07', unread],
    ['2031-02-29 00:00:00', unread],
    ['2031-03-05T23:59:60Z', unread],
    ['2031-03-05T24:00:01Z', unread],
    ['2031-03-05 13:04:07 PM', unread],
    ['2031-03-05 09:04:07 -0300 PM', unread],
    ['0044-03-15 09:04:07+00 BC', unread],
    ['2031-03-05T09:04:07+24:00', unread],
    ['2031-03-05T09:04:07 01:00', unread],
    ['2031-03-05T09:04:07Zulu', letters],
    ['20310305', number],
    ['20310305090407', number],
    ['2031-W10-3T09:04:07Z', unread],
    ['+010000-01-01T00:00:00Z', unread],
    ['0000-00-00 00:00:00', unread],
    ['infinity', unread],
    ['now', unread],
  ])('of %j', (value, fault) => {
    expect(read(value)).toEqual(bodyError(fault));
  });

  it('of a local time where no zone is known', () => {
    expect(readDateTime('2031-03-05 09:04:07', undefined)).toBe(dateTimeFaults.offset);
    expect(readDateTime('2031-03-05 09:04:07-03', undefined)).toBe(Date.parse(second));
  });

  it('with an example that is read', () => {
    for (const fault of Object.values(dateTimeFaults)) {
      const [example = ''] = /2031-\S+?(?=[.,:]?(?:\s|$))/.exec(fault) ?? [];
      expect(read(example)).toEqual(instant(second));
    }
  });
});

/** The parts of an instant in a zone, as a printer takes them. */
function partsOf(at: number, zone: string) {
  const [day = '', time = ''] = formatLocalTime(at, zone).split(' ');
  const minutes = offsetAt(at, zone) / 60_000;
  const size = Math.abs(minutes);
  const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const sign = minutes < 0 ? '-' : '+';
  const utc = new Date(at).toISOString();
  const [weekday = '', date = '', month = '', year = ''] = new Date(`${day}T00:00:00Z`)
    .toUTCString()
    .replace(',', '')
    .split(' ');
  const [offset, basic] = [`${sign}${hours}:${rest}`, `${sign}${hours}${rest}`];
  const ms = utc.slice(20, 23);
  return { day, time, utc, zone, weekday, date, month, year, ms, offset, basic };
}

type Parts = ReturnType<typeof partsOf>;

/** What programs print by default, and how many digits of the seconds are left. */
const printers: Record<string, (parts: Parts) => string> = {
  'str of Python, with an offset': ({ day, time, ms, offset }) =>
    `${day} ${time}.${ms}999${offset}`,
  'isoformat of Python': ({ day, time, ms }) => `${day}T${time}.${ms}456`,
  'Instant of Java': ({ utc, ms }) => utc.replace(`${ms}Z`, `${ms}456789Z`),
  'LocalDateTime of Java': ({ day, time, ms }) => `${day}T${time}.${ms}456789`,
  'ZonedDateTime of Java': ({ day, time, ms, offset, zone }) =>
    `${day}T${time}.${ms}${offset === '+00:00' ? 'Z' : offset}[${zone}]`,
  'o of C#': ({ day, time, ms, offset }) => `${day}T${time}.${ms}4567${offset}`,
  'String of Go': ({ day, time, ms, basic }) => `${day} ${time}.${ms} ${basic} ${basic}`,
  'v of PHP': ({ day, time, ms, offset }) => `${day}T${time}.${ms}${offset}`,
  'inspect of Ruby': ({ day, time, ms, basic }) => `${day} ${time}.${ms} ${basic}`,
  'toISOString of JavaScript': ({ utc }) => utc,
  'the object of our answers': ({ day, time, ms, zone }) =>
    JSON.stringify({ date: `${day} ${time}.${ms}000`, timezone_type: 3, timezone: zone }),
  'the object of PHP, of type 1': ({ day, time, ms, offset }) =>
    JSON.stringify({ date: `${day} ${time}.${ms}000`, timezone_type: 1, timezone: offset }),
  'RFC 5322': ({ weekday, date, month, year, time, basic }) =>
    `${weekday}, ${date} ${month} ${year} ${time} ${basic}`,
  'toUTCString of JavaScript': ({ utc }) => new Date(utc).toUTCString(),
  'toString of JavaScript': ({ weekday, date, month, year, time, basic, zone }) =>
    `${weekday} ${month} ${date} ${year} ${time} GMT${basic} (${zone})`,
  'ctime of C': ({ weekday, date, month, year, time }) =>
    `${weekday} ${month} ${date.replace(/^0/, ' ')} ${time} ${year}`,
  's of C#': ({ day, time }) => `${day}T${time}`,
  'to_s of Ruby': ({ day, time, basic }) => `${day} ${time} ${basic}`,
  'DATE_ATOM of PHP': ({ day, time, offset }) => `${day}T${time}${offset}`,
  PostgreSQL: ({ day, time, offset }) => `${day} ${time}${offset.replace(/:00$/, '')}`,
};

/**
 * Zones with clock changes, with odd offsets, and without either; years in which their offsets are
 * whole minutes.
 */
const zones = [
  'America/Sao_Paulo',
  'America/New_York',
  'America/St_Johns',
  'Europe/Paris',
  'Europe/London',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'UTC',
];
const instants = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2200, 0) });

describe('what a program prints for an instant', () => {
  it.each(Object.entries(printers))('comes back as it from %s', (_name, print) => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (at, zone) => {
        const text = print(partsOf(at, zone));
        const value: unknown = text.startsWith('{') ? JSON.parse(text) : text;
        const found = runInZone(zone, () => dateTimeInput.parse(value));
        const sent = /\.\d{3}/.test(text) ? at : Math.floor(at / 1000) * 1000;
        // A local time that occurs twice means the first.
        const isLocal = offsetAt(found, zone) === sent - found + offsetAt(sent, zone);
        expect(isLocal && found < sent ? sent : found, `${text} in ${zone}`).toBe(sent);
        const hasOffset = /[+-]\d\d:?\d\d|[+-]\d\d$|Z|GMT/.test(text.slice(10));
        if (hasOffset) expect(found).toBe(sent);
      }),
      { numRuns: runsOf(10_000, 100) },
    );
  });
});
