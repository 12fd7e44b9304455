import type { Language } from './words/languages.ts';

/** How long a request took, as people read it. */
export const milliseconds = (value: number, language: Language): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond' }).format(value);
