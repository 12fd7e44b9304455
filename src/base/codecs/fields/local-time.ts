import { dayMs, hourMs, minuteMs } from '../../durations.ts';

/** Returns the epoch milliseconds of a date and time in UTC; undefined if it does not exist. */
export function toUtcMillis(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
  millisecond = 0,
): number | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  // Date.UTC maps the years 0 to 99 to 1900 to 1999; setUTCFullYear does not.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second, millisecond);
}

/** Returns midnight in UTC of a `YYYY-MM-DD` day; undefined if malformed or not a day. */
function parseDay(day: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match || Number(match[1]) < 1) return undefined;
  return toUtcMillis(Number(match[1]), Number(match[2]), Number(match[3]));
}

// Clients send zone names too (in DateTime objects), so the caches are bounded.
const maxZones = 64;
const maxOffsets = 10_000;

interface ZoneClock {
  format: Intl.DateTimeFormat;
  /** Offsets at whole hours. */
  offsets: Map<number, number>;
}

const clocks = new Map<string, ZoneClock>();

/**
 * Returns the offset of a zone from UTC at an instant, in milliseconds. Intl is slow, so offsets
 * are cached at whole days and hours. If both ends of a day (or hour) have the same offset, it
 * holds in between.
 */
export function offsetAt(instant: number, zone: string): number {
  const clock = zoneClock(zone);
  for (const span of [dayMs, hourMs]) {
    const start = Math.floor(instant / span) * span;
    const offset = cachedOffset(clock, start);
    if (offset === cachedOffset(clock, start + span)) return offset;
  }
  return measureOffset(clock.format, instant);
}

function zoneClock(zone: string): ZoneClock {
  const known = clocks.get(zone);
  if (known) return known;
  if (clocks.size >= maxZones) clocks.clear();
  const clock = { format: createFormat(zone), offsets: new Map<number, number>() };
  clocks.set(zone, clock);
  return clock;
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

function cachedOffset(clock: ZoneClock, instant: number): number {
  const known = clock.offsets.get(instant);
  if (known !== undefined) return known;
  if (clock.offsets.size >= maxOffsets) clock.offsets.clear();
  const offset = measureOffset(clock.format, instant);
  clock.offsets.set(instant, offset);
  return offset;
}

function measureOffset(format: Intl.DateTimeFormat, instant: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour, minute, second } = parts;
  const local = toUtcMillis(year, month, day, hour, minute, second) ?? instant;
  return local - Math.floor(instant / 1000) * 1000;
}

/** A local time in parts: `YYYY-MM-DD`, the hour, and `:MM:SS` with the milliseconds apart. */
interface LocalTime {
  day: string;
  hour: number;
  minutes: string;
  milliseconds: number;
}

const maxDays = 10_000;
const days = new Map<number, string>();

/**
 * The `YYYY-MM-DD` of a number of days since 1970. Cached, since the records of a page share few
 * days.
 */
function formatDay(number: number): string {
  const known = days.get(number);
  if (known !== undefined) return known;
  if (days.size >= maxDays) days.clear();
  const day = new Date(number * dayMs).toISOString().slice(0, 10);
  days.set(number, day);
  return day;
}

/**
 * Converts an instant to the local time of a zone. Costs a quarter of a `Date` and its ISO text.
 */
export function toLocalTime(instant: number, zone: string): LocalTime {
  const local = instant + offsetAt(instant, zone);
  const number = Math.floor(local / dayMs);
  const time = local - number * dayMs;
  const minute = Math.floor(time / minuteMs) % 60;
  const second = Math.floor(time / 1000) % 60;
  return {
    day: formatDay(number),
    hour: Math.floor(time / hourMs),
    minutes: `:${twoDigits(minute)}:${twoDigits(second)}`,
    milliseconds: time % 1000,
  };
}

const twoDigits = (value: number) => (value < 10 ? `0${value}` : String(value));

/** Formats an instant as `YYYY-MM-DD HH:MM:SS` in a zone, zero-padded. */
export function formatLocalTime(instant: number, zone: string): string {
  const { day, hour, minutes } = toLocalTime(instant, zone);
  return `${day} ${twoDigits(hour)}${minutes}`;
}

/**
 * Returns the instant of a local time (milliseconds as if in UTC). A time that a clock change skips
 * moves forward by the gap; of a time that occurs twice, the first counts.
 */
export function toInstant(local: number, zone: string): number {
  const before = local - offsetAt(local - dayMs, zone);
  const after = local - offsetAt(local + dayMs, zone);
  const valid = [before, after].filter((instant) => instant + offsetAt(instant, zone) === local);
  return valid.length > 0 ? Math.min(...valid) : before;
}

/**
 * Returns the days `from` to `to` (`YYYY-MM-DD`, both included) as epoch milliseconds: first
 * instant, and first instant after. Undefined if a day does not exist or `to` precedes `from`.
 */
export function parseDayRange(
  from: string,
  to: string,
  zone: string,
): [number, number] | undefined {
  const first = parseDay(from);
  const last = parseDay(to);
  if (first === undefined || last === undefined || last < first) return undefined;
  return [toInstant(first, zone), toInstant(last + dayMs, zone)];
}

/** The day that is some days later, as `YYYY-MM-DD`. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The days from one to another, both included, as `YYYY-MM-DD`. */
export const listDays = (from: string, to: string): string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / dayMs + 1 }, (_, index) =>
    daysAfter(from, index),
  );
