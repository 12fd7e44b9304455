import { pathId } from '../fields/ids.ts';
import { codePoints, foldText } from '../fields/normalize-text.ts';
import { bool, MAX_CENTS } from '../fields/scalars.ts';
import { url } from '../fields/string-formats.ts';

/** A value to compare a column with: folded text, an id, a number, cents or a boolean. */
export type ComparedValue = string | number | boolean;

/** A condition on records, independent of the database. `{ all: [] }` is always true. */
export type Condition<Column extends string = string> =
  | { all: Condition<Column>[] }
  | { any: Condition<Column>[] }
  | { column: Column; is: 'contains'; text: string }
  | { column: Column; is: 'equals'; value: ComparedValue }
  | { column: Column; is: 'in'; values: ComparedValue[] }
  | { column: Column; is: 'between'; from: number; until: number }
  | { column: Column; is: 'null' };

/**
 * How a query writes the values of a column. `text` is free text and matches substrings. `word` (such as a status) and
 * `exact` (with case and accents) match whole values, and so does `url`. `money` is written as an amount and compared in cents.
 */
export type FieldType = 'text' | 'word' | 'exact' | 'url' | 'id' | 'number' | 'bool' | 'money';

/** The longest value of any type, in characters. */
export const MAX_VALUE_LENGTH = 2048;

/** The result of parsing a malformed value. Not thrown. */
export class ParseError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const EXPECTED: Record<FieldType, string> = {
  text: 'Must be 1 to 255 characters.',
  word: 'Must be 1 to 255 characters.',
  exact: 'Must be 1 to 2,048 characters.',
  url: 'Must be an absolute http or https URL of at most 2,048 characters.',
  id: 'Must be a positive whole number.',
  number: 'Must be a number.',
  bool: 'Must be true or false.',
  money: 'Must be a number from 0 to 99,999,999.99 with at most two decimals.',
};

/** Parses a query value for a column of this type. */
export function parseFieldValue(type: FieldType, text: string): ComparedValue | ParseError {
  return parseValue(type, text) ?? new ParseError(EXPECTED[type]);
}

/** Returns the JSON schema of such a query value. */
export function fieldValueSchema(type: FieldType): Record<string, unknown> {
  if (type === 'bool') return { type: 'boolean' };
  if (type === 'id') return { type: 'integer', minimum: 1 };
  if (type === 'number' || type === 'money') return { type: 'number' };
  if (type === 'url') return { type: 'string', format: 'uri', maxLength: MAX_VALUE_LENGTH };
  return { type: 'string', maxLength: type === 'exact' ? MAX_VALUE_LENGTH : 255 };
}

const urlSchema = url();

function parseValue(type: FieldType, text: string): ComparedValue | undefined {
  switch (type) {
    case 'text':
    case 'word':
      return text !== '' && codePoints(text) <= 255 ? foldText(text) : undefined;
    case 'exact':
      return text !== '' && codePoints(text) <= MAX_VALUE_LENGTH ? text : undefined;
    case 'url':
      return urlSchema.safeParse(text).data;
    case 'id':
      return pathId.safeParse(text).data;
    case 'bool':
      return bool.safeParse(text).data;
    case 'number':
      return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
    case 'money':
      return parseCents(text);
  }
}

function parseCents(text: string): number | undefined {
  if (!/^\d{1,8}(?:\.\d{1,2})?$/.test(text)) return undefined;
  const amount = Math.round(Number(text) * 100);
  return amount <= MAX_CENTS ? amount : undefined;
}
