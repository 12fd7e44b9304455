import type { Language } from './words/languages.ts';

/** A time to wait as people say it: seconds below a minute and a half, else minutes, rounded up. */
export function timeText(language: Language, seconds: number): string {
  const [value, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(value);
}
