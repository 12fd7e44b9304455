import type { Language } from '../../base/languages.ts';

/** A date and time in the format of the language, with the time zone. */
export const FormattedTime = ({
  language,
  at,
  zone,
}: {
  language: Language;
  /** Epoch milliseconds. */
  at: number;
  /** IANA time zone. */
  zone: string;
}) => {
  const format = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
    timeZoneName: 'short',
  });
  return <time datetime={new Date(at).toISOString()}>{format.format(at)}</time>;
};

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
}: {
  language: Language;
  /** Epoch milliseconds. */
  at: number;
  /** IANA time zone. */
  zone: string;
}) => {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: zone });
  return <time datetime={new Date(at).toISOString()}>{format.format(at)}</time>;
};
