import type { Language } from './words/languages.ts';
import { wordsOf } from './words/words-of.ts';

/** What came of a request: the status, if there was one, and what it means. */
export interface Answer {
  code: number | null;
  /** Class of the failure; `null` for success. */
  error: string | null;
}

/** An answer in words. */
export function answerText({ code, error }: Answer, language: Language): string {
  const { errors, success } = wordsOf(language).deliveries;
  const known = error !== null && Object.hasOwn(errors, error) ? error : 'other';
  // Only what `errors` has comes here, or `other`.
  const meaning = error === null ? success : errors[known as keyof typeof errors];
  return code === null ? meaning : `${code}. ${meaning}`;
}
