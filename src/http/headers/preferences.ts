import { bookmarkHeader, type WantedReads } from '../access/near-reads.ts';

/** Whether the header `Prefer` (RFC 7240) names this preference. */
const prefers = (headers: Headers, preference: RegExp) =>
  preference.test(headers.get('Prefer') ?? '');

/** Whether the request asks for errors on unknown names: `Prefer: handling=strict`. */
export const isStrictRequest = (headers: Headers) =>
  prefers(headers, /\bhandling\s*=\s*"?strict"?/i);

/** Where the request wants its reads to start: `Prefer: read=nearest`, `X-Bookmark`. */
export const wantedReads = (headers: Headers): WantedReads => ({
  bookmark: headers.get(bookmarkHeader) ?? undefined,
  isNearest: prefers(headers, /\bread\s*=\s*"?nearest"?/i),
});
