import { english, type Words } from './en.ts';
import { spanish } from './es.ts';
import type { Language } from './languages.ts';
import { portuguese } from './pt-br.ts';

const dictionaries: Record<Language, Words> = { en: english, 'pt-BR': portuguese, es: spanish };

/** The dictionary of a language. */
export const wordsOf = (language: Language): Words => dictionaries[language];
