import * as z from 'zod';
import { utcMillis } from './calendar.ts';
import { fraction, parseLocal } from './local-time.ts';
import { expected, refuse } from './sentences.ts';
import { currentZone, isZone } from './zone.ts';

const SENTENCE = 'Must be a date and time such as 2031-03-05 09:04:07.';
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2})?)$/i;
// Whatever the zone, the years of these instants are written with four digits.
const EARLIEST = Date.parse('0001-01-03T00:00:00Z');
const LATEST = Date.parse('9999-12-29T00:00:00Z');

const DateTimeInput = z.object({
  date: z.string(),
  timezone_type: z.literal(3).optional(),
  timezone: z.string(),
});

/**
 * Request: a local time of the current zone, ISO 8601 with `Z` or an offset, or a DateTime object;
 * stored as epoch milliseconds. Inside `inZone` only.
 */
export const moment = z
  .union([z.string().meta({ examples: ['2031-03-05 09:04:07'] }), DateTimeInput], {
    error: expected(SENTENCE),
  })
  .transform((value, context): number => {
    const instant = typeof value === 'string' ? ofText(value) : ofObject(value);
    if (instant === undefined || !(instant >= EARLIEST && instant <= LATEST)) {
      return refuse(context, SENTENCE);
    }
    return instant;
  });

function ofText(text: string): number | undefined {
  return parseLocal(text, currentZone()) ?? parseIso(text);
}

function ofObject({ date, timezone }: z.output<typeof DateTimeInput>): number | undefined {
  return isZone(timezone) ? parseLocal(date, timezone) : undefined;
}

function parseIso(text: string): number | undefined {
  const match = ISO.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  const local = utcMillis(year!, month!, day!, hour, minute, second, fraction(match[7]));
  if (local === undefined || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000;
  return match[8] === '-' ? local + offset : local - offset;
}
