import { Malformed } from './column-kind.ts';
import type { Condition } from './condition.ts';
import { dayRange } from './day-range.ts';
import { written } from './sentences.ts';
import { currentZone } from './zone.ts';

const MAX_PAGE = 2_147_483_647;
const MAX_PER_PAGE = 100;

/** `page`: from 1; offsets beyond the largest page would overflow. */
export function readPage(text: string): number | Malformed {
  if (!isPositive(text)) return new Malformed('Must be a whole number from 1.');
  const page = Number(text);
  return page <= MAX_PAGE
    ? page
    : new Malformed(`Must be a whole number from 1 to ${written(MAX_PAGE)}.`);
}

/** `limit`: from 1; more than 100 counts as 100. */
export function readLimit(text: string): number | Malformed {
  return isPositive(text)
    ? Math.min(Number(text), MAX_PER_PAGE)
    : new Malformed('Must be a whole number from 1.');
}

/** `orderBy`: columns of the sort list, several with `;`, each once. */
export function readOrderBy(sort: readonly string[], text: string): string[] | Malformed {
  const columns = new Set(text.split(';').map((column) => column.trim()));
  return [...columns].every((column) => sort.includes(column))
    ? [...columns]
    : new Malformed(`Must name one of ${sort.join(', ')}.`);
}

/** One of two or more words, in any case. */
export function readWord<Word extends string>(
  words: readonly Word[],
  text: string,
): Word | Malformed {
  const word = words.find((listed) => listed === text.toLowerCase());
  return word ?? new Malformed(`Must be ${words.join(' or ')}.`);
}

/** `date`: `field:YYYY-MM-DD` or `field:YYYY-MM-DD|YYYY-MM-DD`, days of the current zone. */
export function readDate(dates: readonly string[], text: string): Condition | Malformed {
  const colon = text.indexOf(':');
  const column = text.slice(0, Math.max(colon, 0)).trim();
  if (!dates.includes(column)) return new Malformed(`Must name one of ${dates.join(', ')}.`);
  const [from = '', to = from, ...more] = text.slice(colon + 1).split('|');
  const range = more.length === 0 ? dayRange(from, to, currentZone()) : undefined;
  return range
    ? { column, is: 'between', from: range[0], until: range[1] }
    : new Malformed('Must be field:YYYY-MM-DD or field:YYYY-MM-DD|YYYY-MM-DD, the earlier first.');
}

/** `include`: the known ones of the names with commas. */
export function readInclude(includes: readonly string[], text: string): string[] {
  return names(text).filter((name) => includes.includes(name));
}

/** `includes`: as `include`, from a closed list. */
export function readClosedIncludes(
  includes: readonly string[],
  text: string,
): string[] | Malformed {
  const wanted = names(text);
  return wanted.every((name) => includes.includes(name))
    ? wanted
    : new Malformed(`Must be one or more of ${includes.join(', ')}.`);
}

function names(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))];
}

function isPositive(text: string): boolean {
  return /^0*[1-9][0-9]*$/.test(text);
}
