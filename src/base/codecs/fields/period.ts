import * as z from 'zod';
import { explainEnum } from '../meaning.ts';
import { dateTime, dateTimeInput } from './date-time.ts';
import { parseDayRange, formatLocalTime } from './local-time.ts';
import { orNull } from './nullable.ts';
import { choice } from './text.ts';

const stopwatches = ['daily', 'period'] as const;

/** A display period with a countdown. */
export interface Period {
  stopwatch: (typeof stopwatches)[number] | null;
  start_at: number | null;
  end_at: number | null;
}

/** Request fields of a period. {@link periodErrors} checks them together. */
export const periodFields = {
  stopwatch: [orNull(choice(stopwatches)), null],
  start_at: [orNull(dateTimeInput), null],
  end_at: [orNull(dateTimeInput), null],
} as const;

/** Response fields of a period. */
export const periodOutput = {
  stopwatch: z
    .enum(stopwatches)
    .nullable()
    .describe(
      'Countdown for buyers: daily runs to midnight of the store, period to end_at; null shows none.',
    ),
  start_at: dateTime
    .nullable()
    .describe('When the shop starts to show it; null: no start. active is not changed.'),
  end_at: dateTime
    .nullable()
    .describe('When the shop stops showing it and expired becomes true; null: never.'),
  expired: z
    .boolean()
    .describe('Whether end_at is past. The record stays, and active is not changed.'),
};

/** Returns the errors of a period as a whole, by field. */
export function periodErrors({ stopwatch, start_at, end_at }: Period): Record<string, string[]> {
  if (stopwatch === 'period' && end_at === null) {
    return { end_at: ['Required when stopwatch is period.'] };
  }
  const isReversed = start_at !== null && end_at !== null && end_at <= start_at;
  return isReversed ? { end_at: ['Must be after start_at.'] } : {};
}

/**
 * Returns the end of the countdown: the end of the local day, or of the period. `now` is in epoch
 * milliseconds.
 */
export function countdownEndsAt({ stopwatch, end_at }: Period, now: number, zone: string) {
  if (stopwatch === 'period') return end_at;
  if (stopwatch !== 'daily') return null;
  const today = formatLocalTime(now, zone).slice(0, 10);
  return parseDayRange(today, today, zone)?.[1] ?? null;
}

/** Whether the period has ended. `now` is in epoch milliseconds. */
export const isExpired = ({ end_at }: Pick<Period, 'end_at'>, now: number) =>
  end_at !== null && end_at < now;

/* @__PURE__ */ explainEnum('Stopwatch', 'What a countdown in the shop runs to.', {
  daily: "The end of each day in the store's time zone.",
  period: 'end_at, which is then needed.',
});
