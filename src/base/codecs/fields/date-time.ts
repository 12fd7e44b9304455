import * as z from 'zod';
import { minuteMs } from '../../durations.ts';
import { messageOrRequired, addIssue } from '../field-messages.ts';
import {
  toLocalTime,
  formatLocalTime,
  parseLocal,
  toUtcMillis,
  parseFraction,
} from './local-time.ts';
import { stringInput } from './string-input.ts';
import { currentZone, isZone } from './zone.ts';

const DateTimeObject = z
  .object({
    date: z.string().meta({
      description:
        'Local date and time, YYYY-MM-DD H:MM:SS; in transactions with six decimals of the seconds.',
      examples: ['2031-03-05 9:04:07'],
    }),
    timezone_type: z.literal(3).describe('Always 3: timezone is an identifier, not an offset.'),
    timezone: z.string().meta({
      description: 'IANA time zone that date is in.',
      examples: ['America/Sao_Paulo'],
    }),
  })
  .meta({
    id: 'DateTime',
    description: "Local time in the store's time zone. The hour is not zero-padded.",
  });

/** The DateTime object of the specification. */
export type DateTime = z.output<typeof DateTimeObject>;

/** Response field: epoch milliseconds as a DateTime object. Only inside `runInZone`. */
export const dateTime = z.codec(z.int(), DateTimeObject, {
  decode: (instant) => toDateTimeObject(instant, currentZone()),
  encode: fromDateTimeObject,
});

/** Response fields that most records have. */
export const recordTimes = {
  created_at: dateTime.describe('When the service stored the record; never changes.'),
  updated_at: dateTime.describe(
    'When a stored value last changed; a PUT that changes nothing keeps it.',
  ),
};

/** Response field: as `dateTime`, with six decimals of the seconds (transactions). */
export const dateTimeMicro = z.codec(z.int(), DateTimeObject, {
  decode: (instant) => {
    const { date, ...rest } = toDateTimeObject(instant, currentZone());
    const { milliseconds } = toLocalTime(instant, currentZone());
    return { date: `${date}.${String(milliseconds).padStart(3, '0')}000`, ...rest };
  },
  encode: fromDateTimeObject,
});

/** Response field: epoch milliseconds as `YYYY-MM-DD HH:MM:SS`. Only inside `runInZone`. */
export const localDateTime = z.codec(
  z.int(),
  z.string().meta({ examples: ['2031-03-05 09:04:07'] }),
  {
    decode: (instant) => formatLocalTime(instant, currentZone()),
    encode: (text) => parseLocal(text, currentZone()) ?? Number.NaN,
  },
);

/** An instant with its own zone, for lists of records from different stores. */
const InstantInZone = z.object({ at: z.int(), zone: z.string() });

/** Response field: as `dateTime`, with its own zone. */
export const dateTimeInZone = z.codec(InstantInZone, DateTimeObject, {
  decode: ({ at, zone }) => toDateTimeObject(at, zone),
  encode: (object) => ({ at: fromDateTimeObject(object), zone: object.timezone }),
});

/** Response field: as `localDateTime`, with its own zone. Encoding uses the zone of `runInZone`. */
export const localDateTimeInZone = z.codec(
  InstantInZone,
  z.string().meta({ examples: ['2031-03-05 09:04:07'] }),
  {
    decode: ({ at, zone }) => formatLocalTime(at, zone),
    encode: (text) => ({ at: parseLocal(text, currentZone()) ?? Number.NaN, zone: currentZone() }),
  },
);

/** Response field: epoch milliseconds as ISO 8601 in UTC without a fraction. */
export const isoDateTime = z.codec(z.int(), z.string().meta({ format: 'date-time' }), {
  decode: (instant) => `${new Date(instant).toISOString().slice(0, 19)}Z`,
  encode: (text) => Date.parse(text),
});

function toDateTimeObject(instant: number, timezone: string): DateTime {
  const { day, hour, minutes } = toLocalTime(instant, timezone);
  return { date: `${day} ${hour}${minutes}`, timezone_type: 3, timezone };
}

function fromDateTimeObject({ date, timezone }: DateTime): number {
  // NaN fails the schema of the stored value, so a malformed date becomes a ZodError.
  return (isZone(timezone) ? parseLocal(date, timezone) : undefined) ?? Number.NaN;
}

const DATE_TIME_MESSAGE = 'Must be a date and time such as 2031-03-05 09:04:07.';
const ISO_PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2})?)$/i;
// Within these bounds the year has four digits in every zone.
const EARLIEST = Date.parse('0001-01-03T00:00:00Z');
const LATEST = Date.parse('9999-12-29T00:00:00Z');

/** The longest text of a date and time, and of the name of a zone. */
const MAX_LENGTH = 100;
const dateTimeText = stringInput(DATE_TIME_MESSAGE, MAX_LENGTH);

const DateTimeObjectInput = z.object({
  date: dateTimeText.describe('Local date and time, such as 2031-03-05 09:04:07.'),
  timezone_type: z.literal(3).optional().describe('3, as in responses; may be left out.'),
  timezone: dateTimeText.describe('IANA time zone that date is in, such as America/Sao_Paulo.'),
});

/**
 * Request field: a local time, ISO 8601 with `Z` or an offset, or a DateTime object. Stored as epoch milliseconds. Only inside
 * `runInZone`.
 */
export const dateTimeInput = z
  .union([dateTimeText.meta({ examples: ['2031-03-05 09:04:07'] }), DateTimeObjectInput], {
    error: messageOrRequired(DATE_TIME_MESSAGE),
  })
  .transform((value, context): number => {
    const instant = typeof value === 'string' ? parseText(value) : parseObject(value);
    if (instant === undefined || !(instant >= EARLIEST && instant <= LATEST)) {
      return addIssue(context, DATE_TIME_MESSAGE);
    }
    return instant;
  });

function parseText(text: string): number | undefined {
  return parseLocal(text, currentZone()) ?? parseIso(text);
}

function parseObject({ date, timezone }: z.output<typeof DateTimeObjectInput>): number | undefined {
  return isZone(timezone) ? parseLocal(date, timezone) : undefined;
}

function parseIso(text: string): number | undefined {
  const match = ISO_PATTERN.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  const local = toUtcMillis(year!, month!, day!, hour, minute, second, parseFraction(match[7]));
  if (local === undefined || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * minuteMs;
  return match[8] === '-' ? local + offset : local - offset;
}
