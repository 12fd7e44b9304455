/** The languages of the pages (BCP 47) with their own names. */
export const languageNames = { en: 'English', 'pt-BR': 'Português', es: 'Español' } as const;

export type Language = keyof typeof languageNames;

/** The languages in the order of the language switch. */
export const languages: readonly Language[] = ['en', 'pt-BR', 'es'];
