import { dayMillis } from './calendar.ts';
import { instantOf } from './local-time.ts';

const DAY = 86_400_000;

/**
 * The days `from` to `to` (`YYYY-MM-DD`, both included) of a zone as epoch milliseconds: first
 * instant, and first instant after. Undefined when a day does not exist or the later comes first.
 */
export function dayRange(from: string, to: string, zone: string): [number, number] | undefined {
  const first = dayMillis(from);
  const last = dayMillis(to);
  if (first === undefined || last === undefined || last < first) return undefined;
  return [instantOf(first, zone), instantOf(last + DAY, zone)];
}
