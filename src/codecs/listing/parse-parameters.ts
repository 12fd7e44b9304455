import { formatNumber } from '../messages.ts';
import { parseDayRange } from '../time/local-time.ts';
import { currentZone } from '../time/zone.ts';
import { ParseError, type Condition } from './field-types.ts';

const MAX_PAGE = 2_147_483_647;
const MAX_PER_PAGE = 100;

/** Parses `page`, from 1. The maximum keeps offsets from overflowing. */
export function parsePage(text: string): number | ParseError {
  if (!isPositive(text)) return new ParseError('Must be a whole number from 1.');
  const page = Number(text);
  return page <= MAX_PAGE
    ? page
    : new ParseError(`Must be a whole number from 1 to ${formatNumber(MAX_PAGE)}.`);
}

/** Parses `limit`, from 1. More than 100 counts as 100. */
export function parseLimit(text: string): number | ParseError {
  return isPositive(text)
    ? Math.min(Number(text), MAX_PER_PAGE)
    : new ParseError('Must be a whole number from 1.');
}

/** Parses `orderBy`: columns of the sort list, separated by `;`. Duplicates are dropped. */
export function parseOrderBy(sort: readonly string[], text: string): string[] | ParseError {
  const columns = new Set(text.split(';').map((column) => column.trim()));
  return [...columns].every((column) => sort.includes(column))
    ? [...columns]
    : new ParseError(`Must name one of ${sort.join(', ')}.`);
}

/** Parses one of several keywords, ignoring case. */
export function parseKeyword<Word extends string>(
  keywords: readonly Word[],
  text: string,
): Word | ParseError {
  const found = keywords.find((keyword) => keyword === text.toLowerCase());
  return found ?? new ParseError(`Must be ${keywords.join(' or ')}.`);
}

/** Parses `date`: `field:YYYY-MM-DD` or `field:YYYY-MM-DD|YYYY-MM-DD`, days of the current zone. */
export function parseDate(dates: readonly string[], text: string): Condition | ParseError {
  const colon = text.indexOf(':');
  const column = text.slice(0, Math.max(colon, 0)).trim();
  if (!dates.includes(column)) return new ParseError(`Must name one of ${dates.join(', ')}.`);
  const [from = '', to = from, ...more] = text.slice(colon + 1).split('|');
  const range = more.length === 0 ? parseDayRange(from, to, currentZone()) : undefined;
  return range
    ? { column, is: 'between', from: range[0], until: range[1] }
    : new ParseError('Must be field:YYYY-MM-DD or field:YYYY-MM-DD|YYYY-MM-DD, the earlier first.');
}

/** Parses `include`: names separated by commas. Unknown names are ignored. */
export function parseInclude(includes: readonly string[], text: string): string[] {
  return splitNames(text).filter((name) => includes.includes(name));
}

/** Parses `includes`: as `include`, but an unknown name is an error. */
export function parseClosedIncludes(
  includes: readonly string[],
  text: string,
): string[] | ParseError {
  const names = splitNames(text);
  return names.every((name) => includes.includes(name))
    ? names
    : new ParseError(`Must be one or more of ${includes.join(', ')}.`);
}

/** The names of a list with commas, each once. */
export function splitNames(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))];
}

function isPositive(text: string): boolean {
  return /^0*[1-9][0-9]*$/.test(text);
}
