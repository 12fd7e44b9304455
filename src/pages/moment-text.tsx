import type { Language } from './words/languages.ts';

/** A moment as people read it, with its zone. */
export const MomentText = ({
  language,
  at,
  zone,
}: {
  language: Language;
  /** Epoch milliseconds. */
  at: number;
  /** Of the IANA database. */
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
