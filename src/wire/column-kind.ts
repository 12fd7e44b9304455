import { bool } from './bool.ts';
import { codePoints } from './clean.ts';
import { fold } from './fold.ts';
import { pathId } from './id.ts';
import { MAX_CENTS } from './money.ts';
import type { Value } from './condition.ts';

/**
 * How a column's values are written in a query. `text` is free text, looked for anywhere; `word`
 * (a status, a type) and `exact` (as sent, case and accents count) are compared whole; `money` is
 * written as an amount and compared as cents.
 */
export type Kind = 'text' | 'word' | 'exact' | 'id' | 'number' | 'bool' | 'money';

/** A query value that is malformed, with the sentence that says what is expected. */
export class Malformed {
  readonly sentence: string;

  constructor(sentence: string) {
    this.sentence = sentence;
  }
}

const EXPECTED: Record<Kind, string> = {
  text: 'Must be 1 to 255 characters.',
  word: 'Must be 1 to 255 characters.',
  exact: 'Must be 1 to 2,048 characters.',
  id: 'Must be a positive whole number.',
  number: 'Must be a number.',
  bool: 'Must be true or false.',
  money: 'Must be a number from 0 to 99,999,999.99 with at most two decimals.',
};

/** The value that a text of the query stands for in a column of this kind. */
export function valueOf(kind: Kind, text: string): Value | Malformed {
  return read(kind, text) ?? new Malformed(EXPECTED[kind]);
}

/** The JSON schema of such a text, for the document. */
export function schemaOf(kind: Kind): Record<string, unknown> {
  if (kind === 'bool') return { type: 'boolean' };
  if (kind === 'id') return { type: 'integer', minimum: 1 };
  if (kind === 'number' || kind === 'money') return { type: 'number' };
  return { type: 'string', maxLength: kind === 'exact' ? 2048 : 255 };
}

function read(kind: Kind, text: string): Value | undefined {
  switch (kind) {
    case 'text':
    case 'word':
      return text !== '' && codePoints(text) <= 255 ? fold(text) : undefined;
    case 'exact':
      return text !== '' && codePoints(text) <= 2048 ? text : undefined;
    case 'id':
      return pathId.safeParse(text).data;
    case 'bool':
      return bool.safeParse(text).data;
    case 'number':
      return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
    case 'money':
      return cents(text);
  }
}

function cents(text: string): number | undefined {
  if (!/^\d{1,8}(?:\.\d{1,2})?$/.test(text)) return undefined;
  const amount = Math.round(Number(text) * 100);
  return amount <= MAX_CENTS ? amount : undefined;
}
