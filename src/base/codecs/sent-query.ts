/** The parameters of a query or form, decoded, in the order in which they were sent. */
export interface SentQuery {
  pairs: readonly (readonly [name: string, value: string])[];
  /**
   * Names of the parameters that cannot be decoded; a name that cannot be decoded itself is as it
   * was sent.
   */
  malformed: readonly string[];
}

/** The message about a parameter that cannot be decoded. */
export const malformedQueryMessage =
  'Must be UTF-8 in percent-encoding, such as caf%C3%A9; a percent sign itself is %25.';

/**
 * Reads the part of an address behind `?`, or a form (`application/x-www-form-urlencoded`). The
 * platform would repair what is malformed, so another value would count than was meant.
 */
export function parseSentQuery(text: string): SentQuery {
  const pairs: [string, string][] = [];
  const malformed: string[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const separator = part.indexOf('=');
    const sentName = separator < 0 ? part : part.slice(0, separator);
    const name = decode(sentName);
    const value = separator < 0 ? '' : decode(part.slice(separator + 1));
    if (name === undefined || value === undefined) malformed.push(name ?? sentName);
    else pairs.push([name, value]);
  }
  return { pairs, malformed };
}

/**
 * `undefined` for malformed escapes, bytes that are no UTF-8, and NUL, at which a database would
 * end the text.
 */
function decode(text: string): string | undefined {
  try {
    const plain = /[%+]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
    return plain.includes('\0') ? undefined : plain;
  } catch {
    return undefined;
  }
}
