import { hourMs } from '../../base/durations.ts';
import type { Language } from '../../base/languages.ts';
import { messagesFor } from '../texts/messages.ts';

interface TimeProps {
  language: Language;
  /** Epoch milliseconds. */
  at: number;
  /** IANA time zone. */
  zone: string;
}

/** A date and time in the format of the language, with the time zone. */
export const FormattedTime = ({
  hasSeconds = false,
  title,
  ...time
}: TimeProps & { hasSeconds?: boolean; title?: string }) => (
  <time datetime={new Date(time.at).toISOString()} title={title}>
    {formatTime(time, hasSeconds)}
  </time>
);

/**
 * A minus sign keeps `GMT−3` in one line, which a hyphen would end. A space that does not break
 * keeps the hour beside it.
 */
const formatTime = ({ language, at, zone }: TimeProps, hasSeconds: boolean) =>
  new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    // 9:05 AM, and 09:05 where a day has 24 hours.
    hour: language === 'en' ? 'numeric' : '2-digit',
    minute: '2-digit',
    ...(hasSeconds && { second: '2-digit' }),
    timeZone: zone,
    timeZoneName: 'short',
  })
    .format(at)
    .replace(/ (?=\S+$)/, '\u00A0')
    .replace('GMT-', 'GMT−');

/** The shortest distance from now that is shown as a date. */
const relativeMs = 48 * hourMs;

/**
 * A time within two days of now as its distance, any other one to the minute, or to the day. Its
 * title is the exact time.
 */
export const RelativeTime = ({
  now,
  toDay = false,
  ...time
}: TimeProps & { now: number; toDay?: boolean }) => {
  const { language, at } = time;
  const distance = at - now;
  const title = formatTime(time, true);
  if (Math.abs(distance) >= relativeMs) {
    if (toDay) return <FormattedDate {...{ ...time, title }} dateStyle="medium" />;
    return <FormattedTime {...{ ...time, title }} />;
  }
  const { ago, ahead } = messagesFor(language).common;
  return (
    <time datetime={new Date(at).toISOString()} title={title}>
      {(distance > 0 ? ahead : ago).replace('{time}', formatDistance(language, Math.abs(distance)))}
    </time>
  );
};

/**
 * Formats a distance in whole seconds, minutes or hours, at least one second. The units are symbols
 * in all languages.
 */
function formatDistance(language: Language, ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const [value, unit] =
    seconds < 90
      ? [seconds, 's']
      : seconds < 90 * 60
        ? [Math.round(seconds / 60), 'min']
        : [Math.round(seconds / 3600), 'h'];
  return `${value.toLocaleString(language)} ${unit}`;
}

/** Formats a wait: below 90 seconds in seconds, else in minutes, rounded up. */
export function formatWaitingTime(language: Language, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [value, unit] =
    seconds < 90
      ? [seconds, 'second']
      : minutes < 90
        ? [minutes, 'minute']
        : [Math.ceil(minutes / 60), 'hour'];
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(value);
}

/** Formats a duration in milliseconds. */
export const formatMilliseconds = (value: number, language: Language): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond' }).format(value);

/** A date in the format of the language. */
export const FormattedDate = ({
  language,
  at,
  zone,
  dateStyle = 'long',
  title,
}: TimeProps & { dateStyle?: 'long' | 'medium'; title?: string }) => {
  const format = new Intl.DateTimeFormat(language, { dateStyle, timeZone: zone });
  return (
    <time datetime={new Date(at).toISOString()} title={title}>
      {format.format(at)}
    </time>
  );
};
