import * as z from 'zod';
import { addIssue } from '../field-messages.ts';
import { explainBody } from '../meaning.ts';
import { toLocalTime, formatLocalTime } from './local-time.ts';
import { dateTimeFaults, readDateTime, readDateTimeObject } from './read-date-time.ts';
import { stringInput, textRules } from './string-input.ts';
import { currentZone } from './zone.ts';

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
    encode: (text) => orNaN(readDateTime(text, currentZone())),
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
    encode: (text) => ({ at: orNaN(readDateTime(text, currentZone())), zone: currentZone() }),
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

function fromDateTimeObject(object: DateTime): number {
  return orNaN(readDateTimeObject(object));
}

/** NaN fails the schema of the stored value, so a malformed date becomes a ZodError. */
const orNaN = (read: number | string) => (typeof read === 'number' ? read : Number.NaN);

/** The longest text of a date and time, and of the name of a zone. */
const maxDateLength = 100;
const dateTimeText = stringInput(dateTimeFaults.unread, maxDateLength).register(textRules, {
  rule: 'raw',
});

const kindMessage = 'Must be 1 for an offset such as -03:00, or 3 for a time zone.';

const DateTimeObjectInput = z.object({
  date: dateTimeText.describe('Local date and time, such as 2031-03-05 09:04:07.'),
  timezone_type: z
    .int(kindMessage)
    .min(1, kindMessage)
    .max(3, kindMessage)
    .optional()
    .describe('As PHP writes it: 1 for an offset, 3 for a time zone; may be left out.'),
  timezone: dateTimeText.describe(
    'Time zone that date is in: an IANA name such as America/Sao_Paulo, or an offset such as -03:00.',
  ),
});

/* @__PURE__ */ explainBody(DateTimeObjectInput, {
  DateTimeInput: "Local time in the store's time zone. The hour is not zero-padded.",
});

/**
 * Request field: a text that `readDateTime` reads, local or with an offset, or a DateTime object.
 * Stored as epoch milliseconds. Only inside `runInZone`.
 */
export const dateTimeInput = z
  .union([dateTimeText.meta({ examples: ['2031-03-05 09:04:07'] }), DateTimeObjectInput], {
    error: ({ input }) => {
      if (input === undefined) return 'Required.';
      return typeof input === 'number' ? dateTimeFaults.number : dateTimeFaults.unread;
    },
  })
  .transform((value, context): number => {
    const read =
      typeof value === 'string' ? readDateTime(value, currentZone()) : readDateTimeObject(value);
    return typeof read === 'number' ? read : addIssue(context, read);
  });
