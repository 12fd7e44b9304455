/** A date and time as the service sends it: local time in a zone. */
interface DateTime {
  date: string;
  timezone: string;
}

const localPattern = /^(\d{4})-(\d\d)-(\d\d) (\d{1,2}):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/;
const isoPattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const isDateTime = (value: object): value is DateTime =>
  'timezone_type' in value && 'timezone' in value && 'date' in value;

/**
 * Replaces all dates of a body by `Date`: objects with a zone, ISO texts in UTC, and local texts.
 * The last two only in fields named in `dateFields`. A local text has the zone of the objects
 * beside it: a body is about one store.
 */
export function decodeDates(body: unknown, dateFields: ReadonlySet<string>): unknown {
  let zone: string | undefined;
  const decode = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return dateFields.has(name) ? decodeText(value) : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => decode(item, name));
    if (isDateTime(value)) return new Date(toInstant(value.date, value.timezone) ?? Number.NaN);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item, key)]));
  };
  const decodeText = (text: string) => {
    if (isoPattern.test(text)) return new Date(text);
    if (!localPattern.test(text)) return text;
    zone ??= findZone(body) ?? 'UTC';
    return new Date(toInstant(text, zone) ?? Number.NaN);
  };
  return decode(body, '');
}

function findZone(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isDateTime(value)) return value.timezone;
  for (const item of Object.values(value)) {
    const zone = findZone(item);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the offset of a zone from UTC at an instant, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

const dayMs = 86_400_000;

/** Offsets that hold for a whole day of a zone, by zone and day; most days have no clock change. */
const offsets = new Map<string, number>();

/**
 * Returns the instant of a local time, in epoch milliseconds. Of a time that occurs twice the first
 * counts, as for the service; a time that a clock change skips moves forward.
 */
function toInstant(text: string, zone: string): number | undefined {
  const match = localPattern.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const local = Date.UTC(year!, month! - 1, day, hour, minute, second, milliseconds);
  const key = `${zone} ${text.slice(0, 10)}`;
  const known = offsets.get(key);
  if (known !== undefined) return local - known;
  try {
    const before = offsetAt(local - dayMs, zone);
    const after = offsetAt(local + dayMs, zone);
    if (before === after) {
      if (offsets.size > 5_000) offsets.clear();
      offsets.set(key, before);
    }
    const valid = [before, after].filter((offset) => offsetAt(local - offset, zone) === offset);
    return local - (valid.length > 0 ? Math.max(...valid) : before);
  } catch {
    // Not a zone that this runtime knows.
    return undefined;
  }
}
