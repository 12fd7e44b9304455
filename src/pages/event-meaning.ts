import type { Language } from './words/languages.ts';
import { wordsOf } from './words/words-of.ts';

/** What an event means; `null` is one that is kept no longer, and a name without words stands for itself. */
export function eventMeaning(event: string | null, language: Language): string {
  const { meanings } = wordsOf(language).webhooks;
  if (event === null) return meanings.other;
  return Object.hasOwn(meanings, event) ? meanings[event as keyof typeof meanings] : event;
}
