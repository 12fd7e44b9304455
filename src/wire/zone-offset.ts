import { utcMillis } from './calendar.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
// Zone names also come from clients (DateTime objects), so the memory they can take is bounded.
const MAX_ZONES = 64;
const MAX_OFFSETS = 10_000;

interface Clock {
  format: Intl.DateTimeFormat;
  /** Offsets at whole hours. */
  offsets: Map<number, number>;
}

const clocks = new Map<string, Clock>();

/**
 * What `zone` adds to UTC at an instant, in milliseconds. Intl is asked for whole days and hours
 * only: where the offset is the same at both ends of the day (else of the hour) it holds between.
 */
export function offsetAt(instant: number, zone: string): number {
  const clock = clockOf(zone);
  for (const span of [DAY, HOUR]) {
    const start = Math.floor(instant / span) * span;
    const offset = remembered(clock, start);
    if (offset === remembered(clock, start + span)) return offset;
  }
  return measured(clock.format, instant);
}

function clockOf(zone: string): Clock {
  const known = clocks.get(zone);
  if (known) return known;
  if (clocks.size >= MAX_ZONES) clocks.clear();
  const clock = { format: formatIn(zone), offsets: new Map<number, number>() };
  clocks.set(zone, clock);
  return clock;
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
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

function remembered(clock: Clock, instant: number): number {
  const known = clock.offsets.get(instant);
  if (known !== undefined) return known;
  if (clock.offsets.size >= MAX_OFFSETS) clock.offsets.clear();
  const offset = measured(clock.format, instant);
  clock.offsets.set(instant, offset);
  return offset;
}

function measured(format: Intl.DateTimeFormat, instant: number): number {
  const at: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(instant)) at[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour, minute, second } = at;
  const local = utcMillis(year, month, day, hour, minute, second) ?? instant;
  return local - Math.floor(instant / 1000) * 1000;
}
