/** The meaning of an error code, and the remedy of the caller. */
interface ErrorText {
  meaning: string;
  remedy: string;
}

/** The texts of an error code in the languages of the guides. */
export interface ErrorMeaning {
  en: ErrorText;
  'pt-BR': ErrorText;
  es: ErrorText;
}
