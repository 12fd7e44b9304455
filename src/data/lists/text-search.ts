import { getTableName, sql } from 'drizzle-orm';
import { codePoints } from '../../base/codecs/fields/normalize-text.ts';
import type { StoreTable } from '../core/store-table.ts';
import { indexedTables, kindsPerId } from '../schema/store/text-index.ts';
import type { RecordSource } from './record-source.ts';

/** More trigrams would find fewer wrong candidates, but each costs a walk along its records. */
const maxTrigrams = 4;

const textIndex = sql.raw('text_index');

/** Whether a table has trigrams of a column, and a text enough of them to look it up. */
export const canSearch = (table: StoreTable, column: string, text: string): boolean =>
  indexedTables[getTableName(table)]?.letters[column] !== undefined && codePoints(text) >= 3;

/**
 * The records that may contain one of these texts: all their trigrams occur, but perhaps elsewhere
 * or in another order, so each must be compared. By id.
 */
export function textSource(
  table: StoreTable,
  storeId: number,
  texts: readonly { column: string; text: string }[],
): RecordSource {
  const indexed = indexedTables[getTableName(table)];
  if (!indexed) throw new Error(`${getTableName(table)} has no text index`);
  const { kind, letters } = indexed;
  const terms = texts.map(({ column, text }) =>
    spread(text)
      .map((trigram) => `${letters[column] ?? ''}${kind}s${storeId}x${toHex(trigram)}`)
      .join(' AND '),
  );
  const query = [...new Set(terms)].map((term) => `(${term})`).join(' OR ');
  return {
    key: sql`rowid`,
    scale: kindsPerId,
    from: textIndex,
    where: sql`${textIndex} match ${query}`,
    isById: true,
    isExact: false,
  };
}

/** Trigrams that cover the text, or for a long one, some from its beginning to its end. */
function spread(text: string): string[] {
  const characters = Array.from(text);
  const last = characters.length - 3;
  const count = Math.min(maxTrigrams, Math.ceil(characters.length / 3));
  const starts = Array.from({ length: count }, (_, index) =>
    count === 1 ? 0 : Math.round((index * last) / (count - 1)),
  );
  return [...new Set(starts.map((start) => characters.slice(start, start + 3).join('')))];
}

const toHex = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
