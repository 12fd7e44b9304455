/**
 * A number that JSON.parse may round: more digits than it keeps, or an exponent. It may stand in a
 * string as well.
 */
const roundedNumber = /\d[\d.]{15}|\de/i;

/** Of the engine, but not yet of TypeScript: a value that is written as this text. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON: (text: string) => unknown;
  isRawJSON: (value: unknown) => boolean;
};

/**
 * Writes a JSON text so that equal values are equal texts: members sorted, no white space, each
 * string and number spelled in one way. Of a member that occurs twice the last counts, as for
 * JSON.parse. Numbers that are rounded alike stay different.
 */
export function canonicalJson(text: string): string {
  const value: unknown = JSON.parse(text, roundedNumber.test(text) ? keepExact : undefined);
  return JSON.stringify(sortMembers(value));
}

function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map(sortMembers);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}

/** Reviver of JSON.parse: keeps a number that would be rounded as it is written. */
function keepExact(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const exact = toDecimal(context?.source ?? '');
  return exact === toDecimal(String(value)) ? value : rawJSON(exact);
}

/** Writes a number with the digits that count and an exponent. */
function toDecimal(number: string): string {
  const [, sign, whole = '', part = '', exponent = 0] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${sign}${kept}e${Number(exponent) - part.length + digits.length - kept.length}`;
}
