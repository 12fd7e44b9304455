import type * as z from 'zod';
import { nearestOf } from '../../nearest.ts';
import { pathId } from '../fields/ids.ts';
import { cleanCode, codePoints, foldText } from '../fields/normalize-text.ts';
import { bool, maxCents } from '../fields/scalars.ts';
import { phone, url } from '../fields/string-formats.ts';
import { asStored } from '../fields/text.ts';

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
 * How a query writes the values of a column. A list has all values that there are: another one is
 * an error. `text`, `email` and `code` (such as a SKU) match substrings. `word` (such as a status)
 * and `exact` (with case and accents) match whole values, and so does `url`. `money` is written as
 * an amount and compared in cents. The field of a code, such as `cpf`, also matches whole values,
 * however a body may write them.
 */
export type FieldType =
  | 'text'
  | 'email'
  | 'code'
  | 'word'
  | 'exact'
  | 'url'
  | 'id'
  | 'number'
  | 'bool'
  | 'money'
  | readonly (string | number)[]
  | z.ZodType<string, string>;

/** Whether a query finds a part of the values of this type. */
export const isText = (type: FieldType): boolean =>
  type === 'text' || type === 'email' || type === 'code';

/** The longest value of any type, in characters. */
export const maxValueLength = 2048;

/** The result of parsing a malformed value. Not thrown. */
export class ParseError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const expected: Record<FieldType & string, string> = {
  text: 'Must be 1 to 255 characters.',
  email: 'Must be 1 to 255 characters.',
  code: 'Must be 1 to 255 characters.',
  word: 'Must be 1 to 255 characters.',
  exact: 'Must be 1 to 2,048 characters.',
  url: 'Must be an absolute http or https URL of at most 2,048 characters.',
  id: 'Must be a positive whole number.',
  number: 'Must be a number.',
  bool: 'Must be true or false.',
  money: 'Must be a number from 0 to 99,999,999.99 with at most two decimals.',
};

/** Parses a query value of this type. */
export function parseFieldValue(type: FieldType, text: string): ComparedValue | ParseError {
  if (isSet(type)) return parseKnown(type, text);
  return (
    parseValue(type, text) ?? new ParseError(expected[typeof type === 'string' ? type : 'exact'])
  );
}

const isSet = (type: FieldType): type is readonly (string | number)[] => Array.isArray(type);

/** The least share of pairs of letters by which a value is proposed for another. */
const likeEnough = 0.5;

function parseKnown(
  values: readonly (string | number)[],
  text: string,
): ComparedValue | ParseError {
  const word = foldText(text.trim());
  const known = values.find((value) => String(value) === word);
  if (known !== undefined) return known;
  // The beginning turns the meaning, as in "unpaid".
  const near = nearestOf(word, values.map(String), likeEnough).find((value) =>
    value.startsWith(word.slice(0, 1)),
  );
  const proposed = near === undefined ? '' : `; the nearest is ${near}`;
  return new ParseError(`Must be one of ${values.join(', ')}${proposed}.`);
}

/** The most values of a condition: each costs a look-up, or a scan of many records. */
const maxValues = 100;

/** Parses the condition that a column contains, or has, one of these values. */
export function parseCondition<Column extends string>(
  column: Column,
  type: FieldType,
  is: 'contains' | 'equals' | 'in',
  texts: readonly string[],
): Condition<Column> | ParseError {
  if (texts.length > maxValues) return new ParseError(`Must contain at most ${maxValues} values.`);
  const found = new Set<ComparedValue>();
  for (const text of texts.flatMap((sent) => spellingsOf(type, sent))) {
    const value = parseFieldValue(type, text);
    if (value instanceof ParseError) return value;
    found.add(value);
  }
  const values = [...found];
  if (is === 'in') return { column, is, values };
  const any = values.map((value): Condition<Column> =>
    is === 'equals' ? { column, is, value } : { column, is, text: String(value) },
  );
  return any.length === 1 && any[0] ? any[0] : { any };
}

/**
 * The spellings by which a column may hold a value. A plus sign without percent-encoding has
 * arrived as a blank. No address has one; a code may have either. A phone number is held as it was
 * sent, with a plus sign or without.
 */
function spellingsOf(type: FieldType, text: string): string[] {
  if (type === 'email') return [toAddress(text)];
  if (type === 'code') return [text, text.replaceAll(' ', '+')];
  if (type === 'text' || type === 'word' || isSet(type)) return [text];
  const trimmed = text.trim();
  if (type === 'url') return [trimmed.replaceAll(' ', '+')];
  if (type !== phone) return [trimmed];
  const number = asStored(phone, trimmed).replace(/^\+/, '');
  return [number, `+${number}`];
}

/**
 * Returns an e-mail address, or a part of one, as it was meant. Only what stands before the `@` may
 * have a plus sign.
 */
export function toAddress(text: string): string {
  const at = text.indexOf('@');
  if (at < 0) return text.replaceAll(' ', '+');
  const local = text.slice(0, at).trim().replaceAll(' ', '+');
  return local + text.slice(at).replaceAll(' ', '');
}

/** Returns the JSON schema of such a query value. */
export function fieldValueSchema(type: FieldType): Record<string, unknown> {
  if (isSet(type))
    return { type: typeof type[0] === 'number' ? 'integer' : 'string', enum: [...type] };
  if (type === 'bool') return { type: 'boolean' };
  if (type === 'id') return { type: 'integer', minimum: 1 };
  if (type === 'number' || type === 'money') return { type: 'number' };
  if (type === 'url') return { type: 'string', format: 'uri', maxLength: maxValueLength };
  return { type: 'string', maxLength: isText(type) || type === 'word' ? 255 : maxValueLength };
}

const urlSchema = url();

function parseValue(
  type: Exclude<FieldType, readonly (string | number)[]>,
  text: string,
): ComparedValue | undefined {
  if (typeof type !== 'string') {
    const value = parseValue('exact', text);
    return value === undefined ? undefined : asStored(type, String(value));
  }
  switch (type) {
    case 'text':
    case 'email':
    case 'code':
    case 'word':
      // Blanks around a text come with what it was copied from.
      return text !== '' && codePoints(text) <= 255 ? foldText(text.trim() || ' ') : undefined;
    case 'exact':
      return text !== '' && codePoints(text) <= maxValueLength ? cleanCode(text) : undefined;
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
  return amount <= maxCents ? amount : undefined;
}
