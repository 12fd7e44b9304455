import { dayMs, minuteMs } from '../../durations.ts';
import { offsetAt, toInstant, toUtcMillis } from './local-time.ts';
import { isZone } from './zone.ts';

const example = 'such as 2031-03-05T09:04:07-03:00';

/** Why a date and time is refused: what it must be, with an example. */
export const dateTimeFaults = {
  unread: `Must be a date and time ${example}, or in the time of the store such as 2031-03-05 09:04:07.`,
  number: `Must be a text ${example}: a number does not say what it counts.`,
  order: `Must begin with the year, ${example}: else day and month could be confused.`,
  time: `Must have a time of day, ${example}.`,
  offset: `Must have an offset, ${example}.`,
  letters: `Must have an offset, ${example}: the letters of a time zone have several meanings. In PHP, format(DATE_ATOM) writes it.`,
  contradiction: `Must have an offset and a day of the week that fit the date and the time zone, ${example}.`,
};

// Within these bounds the year has four digits in every zone.
const earliest = Date.parse('0001-01-03T00:00:00Z');
const latest = Date.parse('9999-12-29T00:00:00Z');

/**
 * Reads a date and time in the forms that programming languages print. Returns epoch milliseconds,
 * truncated, or why it is refused. A text without an offset or zone is in `zone`; without that too,
 * it is refused.
 */
export function readDateTime(text: string, zone: string | undefined): number | string {
  const read = readLocal(text);
  return typeof read === 'string' ? read : placeInZone(read, zone);
}

/**
 * Reads the date object of PHP: local time, and an offset (type 1), letters (type 2) or the name of
 * a zone (type 3).
 */
export function readDateTimeObject(object: {
  date: string;
  timezone: string;
  timezone_type?: number | undefined;
}): number | string {
  const { date, timezone, timezone_type: type } = object;
  const read = readLocal(date);
  if (typeof read === 'string') return read;
  if (read.rest !== '') return dateTimeFaults.contradiction;
  // Letters such as CET are also the name of a zone, whose clock changes.
  const isNamed = type !== 2 && !/^[+-]/.test(timezone) && isZone(timezone);
  return placeInZone({ ...read, rest: isNamed ? `[${timezone}]` : timezone }, undefined);
}

/** A local time in milliseconds as if in UTC, and the rest of the text, about its zone. */
interface LocalText {
  local: number;
  rest: string;
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const months =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

const weekdayPattern = /^(sun|mon|tue|wed|thu|fri|sat)[a-z]*,?\s+/i;

/**
 * Dates with the English name of a month: of HTTP, e-mail and cookies; of JavaScript; of C, Java
 * and `date`.
 */
const namedPatterns = [
  /^(?<day>\d\d?)[ -](?<month>[a-z]{3,9})[ -](?<year>\d{4}),?\s+(?<time>.+)$/i,
  /^(?<month>[a-z]{3,9})\s+(?<day>\d\d?),?\s+(?<year>\d{4}),?\s+(?<time>.+)$/i,
  /^(?<month>[a-z]{3,9})\s+(?<day>\d\d?)\s+(?<time>\d\d?:.+?)\s(?<year>\d{4})(?<offset>\s[+-]\d{4})?$/i,
];

/**
 * ISO 8601, extended or basic, also with a blank in place of the T, with slashes, or with twelve
 * hours.
 */
const isoPattern =
  /^\+?(?<year>\d{4})(?<dash>[-/]?)(?<month>\d\d)\k<dash>(?<day>\d\d)(?:t|,?\s+)(?<hour>\d\d|\d(?=:))(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?:\s?(?<half>[ap])\.?m\b\.?)?(?<rest>.*)$/i;

function readLocal(sent: string): LocalText | string {
  const text = sent.trim();
  const [, weekday = ''] = weekdayPattern.exec(text) ?? [];
  const match = isoPattern.exec(toDigits(text.replace(weekdayPattern, '')))?.groups;
  if (!match) return faultOf(text);
  const { year, month, day, minute, second = 0, fraction = '', half, rest = '' } = match;
  const midnight = toUtcMillis(Number(year), Number(month), Number(day));
  const hour = toHour(Number(match.hour), half);
  const minutes = hour * 60 + Number(minute);
  const time = (minutes * 60 + Number(second)) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  const isTime = Number(minute) < 60 && Number(second) < 60 && time <= dayMs;
  // ISO 8601 writes the end of a day as 24:00.
  if (midnight === undefined || !isTime) return dateTimeFaults.unread;
  const isThatDay = new Date(midnight).getUTCDay() === weekdays.indexOf(weekday.toLowerCase());
  if (weekday !== '' && !isThatDay) return dateTimeFaults.contradiction;
  return { local: midnight + time, rest };
}

/** Returns the hour of 0 to 23, or 24; `NaN` for one that a clock of twelve hours does not have. */
function toHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  const isOfHalf = hour >= 1 && hour <= 12;
  return isOfHalf ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number.NaN;
}

/** Writes a date with the name of its month as ISO 8601 does. */
function toDigits(text: string): string {
  for (const pattern of namedPatterns) {
    const { year, month = '', day = '', time, offset = '' } = pattern.exec(text)?.groups ?? {};
    const index = months.findIndex((name) => name.startsWith(month.toLowerCase()));
    const digits = [String(index + 1), day].map((part) => part.padStart(2, '0'));
    if (month !== '' && index >= 0) return `${[year, ...digits].join('-')} ${time}${offset}`;
  }
  return text;
}

/** Says why a text has no date and time that could be read. */
function faultOf(text: string): string {
  if (/^\d+(?:\.\d+)?$/.test(text)) return dateTimeFaults.number;
  if (/^\d\d?[-/.]\d\d?[-/.]\d\d/.test(text)) return dateTimeFaults.order;
  return /^\d{4}-\d\d-\d\d$/.test(text) ? dateTimeFaults.time : dateTimeFaults.unread;
}

/**
 * Offsets, UTC, names of zones (RFC 9557), their letters, and what says nothing of the zone: tags,
 * Go's monotonic clock.
 */
const zonePattern =
  /\s*(?:(?:utc?|gmt)?(?<sign>[+-])(?<hours>[01]\d|2[0-3])(?::?(?<minutes>[0-5]\d)(?::?(?<seconds>[0-5]\d))?)?(?!\d)|(?<utc>z|utc?|gmt)(?![a-z])|\[!?(?:(?:utc?|gmt)(?=[+-]))?(?<named>[^\]=]+)\]|(?<bare>[a-z]+\/[\w/+-]+)|\[[^!\]=]+=[^\]]*\]|m=[+-][\d.]+|(?<letters>\([^)]*\)|(?!(?:[ap]m|bc)\b)[a-z]{2,6}(?![a-z])))/giy;

/** Returns the instant of a local time. */
function placeInZone({ local, rest }: LocalText, store: string | undefined): number | string {
  const marks = [...rest.matchAll(zonePattern)];
  if (marks.map(([mark]) => mark).join('') !== rest) return dateTimeFaults.unread;
  const groups = marks.map((mark) => mark.groups ?? {});
  const offsets = groups.map(offsetOf).filter((offset) => offset !== undefined);
  const [zone] = groups.flatMap(({ named, bare }) => named ?? bare ?? []);
  if (zone !== undefined && !isZone(zone)) return dateTimeFaults.unread;
  const [offset] = offsets;
  if (offset === undefined) {
    const assumed = zone ?? store;
    if (zone === undefined && groups.some(({ letters }) => letters)) return dateTimeFaults.letters;
    return assumed === undefined ? dateTimeFaults.offset : inRange(toInstant(local, assumed));
  }
  // Z and -00:00 say nothing of the local time (RFC 9557, section 2.2), so they contradict no zone.
  const isStated = groups.some(({ sign }) => sign === '+') || offset !== 0;
  const differs =
    zone !== undefined && isStated && Math.abs(offsetAt(local - offset, zone) - offset) >= minuteMs;
  const isOne = offsets.every((other) => other === offset) && !differs;
  return isOne ? inRange(local - offset) : dateTimeFaults.contradiction;
}

/** Returns the offset of a mark in milliseconds; `undefined` for a mark of another kind. */
function offsetOf({ utc, sign, hours, minutes = '0', seconds = '0' }: Record<string, string>) {
  if (utc !== undefined) return 0;
  if (sign === undefined) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * minuteMs + Number(seconds) * 1000;
  return sign === '-' ? -offset : offset;
}

const inRange = (instant: number): number | string =>
  instant >= earliest && instant <= latest ? instant : dateTimeFaults.unread;
