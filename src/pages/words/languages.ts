/** The languages of the pages (BCP 47), each with its own name for itself. */
export const languageNames = { en: 'English', 'pt-BR': 'Português', es: 'Español' } as const;

export type Language = keyof typeof languageNames;

/** In the order of the switch. */
export const languages: readonly Language[] = ['en', 'pt-BR', 'es'];
