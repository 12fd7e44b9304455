import { MomentText } from './moment-text.tsx';
import type { Language } from './words/languages.ts';
import { wordsOf } from './words/words-of.ts';

/** When something is sent next: a moment to come (epoch milliseconds), or as soon as possible. */
export type NextAttempt = number | 'soon';

/** The next attempt in words. */
export const NextAttemptText = ({
  at,
  ...format
}: {
  at: NextAttempt;
  language: Language;
  zone: string;
}) =>
  at === 'soon' ? (
    <>{wordsOf(format.language).webhooks.soon}</>
  ) : (
    <MomentText {...format} at={at} />
  );
