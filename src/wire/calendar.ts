/** Milliseconds of a calendar date and time read as UTC, or undefined when there is no such one. */
export function utcMillis(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
  millisecond = 0,
): number | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; setUTCFullYear does not.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second, millisecond);
}

/** Midnight of a `YYYY-MM-DD` day read as UTC, or undefined when it is no such text or day. */
export function dayMillis(day: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match || Number(match[1]) < 1) return undefined;
  return utcMillis(Number(match[1]), Number(match[2]), Number(match[3]));
}
