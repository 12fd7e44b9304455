/**
 * The values of a deployment that the documentation contains. The texts are built without them, as
 * `{{origin}}`, so that one build fits every deployment and holds no API key.
 */
export interface Placeholders {
  /** Address of the service without a final slash. */
  origin: string;
  /** Part of the names of the headers of a delivery. */
  service: string;
  /** The same in upper case, as CGI names headers. */
  SERVICE: string;
  /** How the deployment calls itself, escaped for HTML. Only pages and feeds contain it. */
  brand: string;
  /** Address of the icon of the pages. */
  icon: string;
  user_token: string;
  user_secret: string;
  /** The key of an operator, which the operations of operators need. */
  operator_token: string;
  operator_secret: string;
  /** Alias of a store. */
  store: string;
  /**
   * On pages in English only: the reader's part of the addresses of guides, the words of the bar,
   * and the way back.
   */
  reader: string;
  reader_docs: string;
  reader_guides: string;
  reader_reference: string;
  reader_note: string;
}

/** A placeholder in a text. */
const pattern = /\{\{(\w+)\}\}/g;

/** Returns the text with the values of a deployment. Unknown names stay as they are. */
export const fillPlaceholders = (text: string, values: Placeholders): string =>
  text.replaceAll(pattern, (whole, name: keyof Placeholders) =>
    Object.hasOwn(values, name) ? values[name] : whole,
  );

/** Returns the text with something else in place of each placeholder. */
export const replacePlaceholders = (
  text: string,
  replacementOf: (name: string) => string,
): string => text.replaceAll(pattern, (_whole, name: string) => replacementOf(name));

/** Returns the names of all placeholders in a text. */
export const findPlaceholders = (text: string): string[] =>
  Array.from(text.matchAll(pattern), ([, name = '']) => name);

/**
 * The values to put into a text while nothing is known about the deployment; they are URLs and
 * names of the right form.
 */
export const unknownDeployment = {
  origin: 'https://origin.invalid',
  service: 'ServicePlaceholder',
} as const;

/** Replaces the values of {@link unknownDeployment} by placeholders. */
export const putPlaceholders = (text: string): string =>
  text
    .replaceAll(unknownDeployment.origin, '{{origin}}')
    .replaceAll(unknownDeployment.service, '{{service}}')
    .replaceAll(unknownDeployment.service.toUpperCase(), '{{SERVICE}}');
