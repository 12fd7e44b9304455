/**
 * Languages of users, pages, mails and guides, as BCP 47 tags, in the order of the language switch.
 */
export const languages = ['en', 'pt-BR', 'es'] as const;

export type Language = (typeof languages)[number];

/**
 * Reads the tag of a language in any spelling: `pt`, `PT`, `pt-PT`, `por`, and `pt_BR.UTF-8` of
 * POSIX. Of each language there is one kind, so its first part decides. `undefined` for another
 * language.
 */
export function languageOf(tag: string): Language | undefined {
  const [name = ''] = tag.trim().replaceAll('_', '-').split(/[.@]/, 1);
  try {
    const { language } = new Intl.Locale(name);
    return languages.find((known) => known.split('-', 1)[0] === language);
  } catch {
    return undefined;
  }
}

/** The own name of each language. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  'pt-BR': 'Português',
  es: 'Español',
};

/** A number of bytes in megabytes, such as "12 MB". */
export const formatMegabytes = (bytes: number, language: Language) =>
  new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: bytes < 10_000_000 ? 1 : 0,
  }).format(bytes / 1_000_000);

/** Cents as an amount of money. All stores sell in reais, as `installment_formated` says. */
export const formatMoney = (cents: number, language: Language) =>
  new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'BRL',
    currencyDisplay: 'narrowSymbol',
  }).format(cents / 100);
