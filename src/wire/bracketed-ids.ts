import * as z from 'zod';
import { distinctIds } from './id.ts';
import { expected, refuse } from './sentences.ts';

const SENTENCE = 'Must be an array of ids, or a text such as "[4, 8, 15]".';
const BRACKETED = /^\s*\[([\d\s,]*)\]\s*$/;

/** Reply: ids, or the JSON text of an array of ids, shown as the string `"[4, 8, 15]"`. */
export const bracketedIds = z.codec(z.union([z.array(z.int()), z.string()]), z.string(), {
  decode: (stored) =>
    typeof stored === 'string' ? bracket(JSON.parse(stored) as number[]) : bracket(stored),
  encode: (shown) => JSON.parse(shown) as number[],
});

/** Request: an array of ids, or an ids string; stored as distinct ids. */
export function idsOrBracketed({ min = 0, max = 1000 } = {}) {
  const items = { type: 'integer' as const, minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  const array = z.array(z.unknown()).meta({ items, maxItems: max });
  const string = z.string().meta({ examples: ['[4, 8, 15]'] });
  return z
    .union([array, string], { error: expected(SENTENCE) })
    .transform((value, context): number[] => {
      const values = typeof value === 'string' ? unbracket(value) : value;
      return values ? distinctIds(values, min, max, context) : refuse(context, SENTENCE);
    });
}

function bracket(ids: readonly number[]): string {
  return `[${ids.join(', ')}]`;
}

function unbracket(value: string): number[] | undefined {
  const inner = BRACKETED.exec(value)?.[1]?.trim();
  if (inner === undefined) return undefined;
  if (inner === '') return [];
  const parts = inner.split(',').map((part) => part.trim());
  return parts.every((part) => /^\d+$/.test(part)) ? parts.map(Number) : undefined;
}
