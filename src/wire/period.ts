import { dayRange } from './day-range.ts';
import { localTime } from './local-time.ts';
import { moment } from './moment.ts';
import { orNull } from './or-null.ts';
import { choice } from './words.ts';

/** What is shown from one moment to another, with a countdown. */
export interface Period {
  stopwatch: string | null;
  start_at: number | null;
  end_at: number | null;
}

/** Request: the fields of a period; {@link periodErrors} says whether they fit together. */
export const periodFields = {
  stopwatch: [orNull(choice(['daily', 'period'])), null],
  start_at: [orNull(moment), null],
  end_at: [orNull(moment), null],
} as const;

/** What is wrong with a period as a whole, by field. */
export function periodErrors({ stopwatch, start_at, end_at }: Period): Record<string, string[]> {
  if (stopwatch === 'period' && end_at === null) {
    return { end_at: ['Needed for the stopwatch period.'] };
  }
  const isReversed = start_at !== null && end_at !== null && end_at <= start_at;
  return isReversed ? { end_at: ['Must be after start_at.'] } : {};
}

/** When the countdown reaches zero: at the end of the day of the zone, or of the period. */
export function countdownEnd({ stopwatch, end_at }: Period, now: number, zone: string) {
  if (stopwatch === 'period') return end_at;
  if (stopwatch !== 'daily') return null;
  const today = localTime(now, zone).slice(0, 10);
  return dayRange(today, today, zone)?.[1] ?? null;
}

/** Request: a word that is open, such as a kind or a sort order. */
export const openWord = /[a-z][a-z0-9_-]{0,49}/;
export const openWordSentence =
  'Must be a lower-case letter, then up to 49 letters, digits, _ or -.';

/** Reply: whether the end is past. */
export const isExpired = ({ end_at }: Pick<Period, 'end_at'>, now: number) =>
  end_at !== null && end_at < now;
