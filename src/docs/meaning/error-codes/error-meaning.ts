/** What an error code means, and what the caller does about it. */
interface ErrorText {
  meaning: string;
  remedy: string;
}

/** The texts of an error code in the languages of the guides. */
export interface ErrorMeaning {
  en: ErrorText;
  'pt-br': ErrorText;
  es: ErrorText;
}
