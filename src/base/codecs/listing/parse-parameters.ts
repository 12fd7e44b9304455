import { formatNumber } from '../field-messages.ts';
import { parseDayRange } from '../fields/local-time.ts';
import { currentZone } from '../fields/zone.ts';
import { ParseError, type Condition } from './field-types.ts';

const maxPerPage = 100;

/**
 * How many records a page number may skip and show together. The database reads them all, and a
 * list reads at most 25,000 rows; a cursor reaches any record at the cost of its own page.
 */
export const maxSkipped = 10_000;

/**
 * Parses `page`, from 1. A number beyond those that JSON keeps exactly counts as the greatest of
 * them.
 */
export function parsePage(text: string): number | ParseError {
  return isPositive(text)
    ? Math.min(Number(text), Number.MAX_SAFE_INTEGER)
    : new ParseError('Must be a whole number from 1.');
}

/**
 * Whether a page lies further from the beginning than {@link maxSkipped}, or would if the list
 * were that long.
 */
export const isDeepPage = ({ page, perPage }: { page: number; perPage: number }): boolean =>
  page * perPage > maxSkipped;

/** The error of a page that exists and lies too deep. */
export function deepPageMessage(perPage: number): string {
  const last = formatNumber(Math.floor(maxSkipped / perPage));
  return `Must be at most ${last} with ${perPage} records per page. To go on, follow links.next of that page, or add a filter such as date.`;
}

/** Parses the form of `cursor`. Only the server that issued it can read its content. */
export const parseCursor = (text: string): string | ParseError =>
  /^[\w.-]+$/.test(text)
    ? text
    : new ParseError('Must be the cursor of a link in meta.pagination.links.');

/** Parses `limit`, from 1. More than 100 counts as 100. */
export function parseLimit(text: string): number | ParseError {
  return isPositive(text)
    ? Math.min(Number(text), maxPerPage)
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
