/** Languages of users, pages, mails and guides, as BCP 47 tags, in the order of the language switch. */
export const languages = ['en', 'pt-BR', 'es'] as const;

export type Language = (typeof languages)[number];

/** The own name of each language. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  'pt-BR': 'Português',
  es: 'Español',
};
