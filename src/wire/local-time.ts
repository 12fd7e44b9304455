import { utcMillis } from './calendar.ts';
import { offsetAt } from './zone-offset.ts';

const DAY = 86_400_000;
const LOCAL = /^(\d{4})-(\d{2})-(\d{2}) (\d{1,2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?$/;

/** `YYYY-MM-DD HH:MM:SS` of an instant in a zone, zero-padded; the `time` of a webhook body. */
export function localTime(instant: number, zone: string): string {
  const written = localIso(instant, zone);
  return `${written.slice(0, 10)} ${written.slice(11, 19)}`;
}

/** The local time of an instant as `YYYY-MM-DDTHH:MM:SS.sssZ`, where the `Z` means nothing. */
export function localIso(instant: number, zone: string): string {
  return new Date(instant + offsetAt(instant, zone)).toISOString();
}

/**
 * The instant of a local time (milliseconds, as if it were UTC) in a zone: a time that a clock
 * change skips is moved forward by the length of the gap, one that occurs twice means the first.
 */
export function instantOf(local: number, zone: string): number {
  const before = local - offsetAt(local - DAY, zone);
  const after = local - offsetAt(local + DAY, zone);
  const real = [before, after].filter((instant) => instant + offsetAt(instant, zone) === local);
  return real.length > 0 ? Math.min(...real) : before;
}

/** The instant of a text `YYYY-MM-DD H:MM:SS[.fraction]` in a zone, undefined when malformed. */
export function parseLocal(text: string, zone: string): number | undefined {
  const match = LOCAL.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const local = utcMillis(year!, month!, day!, hour, minute, second, fraction(match[7]));
  return local === undefined ? undefined : instantOf(local, zone);
}

/** Milliseconds of the digits after a decimal point, further digits cut off. */
export function fraction(digits = ''): number {
  return Number(digits.slice(0, 3).padEnd(3, '0'));
}
