import { sha256 } from '../../base/crypto/digest.ts';
import { HttpError } from '../../base/errors.ts';
import type { Answer } from '../produce-answer.ts';

/** An entity tag as a client sent it (RFC 9110, section 8.8.3). `value` is the text in the quotes. */
interface SentTag {
  value: string;
  isWeak: boolean;
}

/** The header `If-Match` or `If-None-Match`: any record, or one with one of these tags. */
export type TagCondition = '*' | readonly SentTag[];

/** Tags that a header may list: a change reads the record once for each set of relations that they name. */
const maxTags = 8;

/** Characters of the digest in a tag, 132 bits. */
const digestLength = 22;

/**
 * Returns the strong tag of a record: a digest of the content for its caller and of the time of its last change, then the
 * relations that it includes. So it differs whenever a byte of the response differs, and names how to read the record again.
 */
export async function entityTag(
  { record, updatedAt }: Pick<Answer, 'record' | 'updatedAt'>,
  includes: readonly string[],
): Promise<string> {
  const digest = (await sha256(JSON.stringify([record, updatedAt]))).slice(0, digestLength);
  return `"${[digest, ...includes].join('.')}"`;
}

/** Returns the relations that our tag names. A foreign tag names none, or some that no record has. */
export const includesOf = ({ value }: SentTag): string[] => value.split('.').slice(1);

/** Parses a header of entity tags; `undefined` without one, a 400 if it is malformed. */
export function parseTagCondition(headers: Headers, name: string): TagCondition | undefined {
  const text = headers.get(name)?.trim();
  if (text === undefined) return undefined;
  if (text === '*') return '*';
  const tags: SentTag[] = [];
  // RFC 9110 lets a list have empty elements.
  const element = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y;
  while (element.lastIndex < text.length) {
    const match = element.exec(text);
    if (!match || tags.length > maxTags) throw malformed(name);
    const [, weak, value] = match;
    if (value !== undefined) tags.push({ value, isWeak: weak !== undefined });
  }
  if (tags.length === 0 || tags.length > maxTags) throw malformed(name);
  return tags;
}

const malformed = (name: string) =>
  new HttpError('invalid_precondition', {
    errors: { [name]: [`Must be * or 1 to ${maxTags} entity tags in double quotes.`] },
  });

/** Whether a record with this tag fulfils `If-Match`: by strong comparison, so a weak tag never matches. */
export const isMatch = (condition: TagCondition | undefined, current: string): boolean =>
  condition === undefined ||
  condition === '*' ||
  condition.some(({ value, isWeak }) => !isWeak && `"${value}"` === current);

/** Whether a record with this tag is one that `If-None-Match` names: by weak comparison. */
export const isNamed = (condition: TagCondition | undefined, current: string): boolean =>
  condition !== undefined &&
  (condition === '*' || condition.some(({ value }) => `"${value}"` === current));
