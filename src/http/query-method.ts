import type { Context } from 'hono';
import { parseSentQuery, type SentQuery } from '../base/codecs/sent-query.ts';
import { HttpError } from '../base/errors.ts';
import type { AppEnv } from './app-env.ts';
import type { Operation } from './operation.ts';
import { decodeJson, readLimitedBody } from './read-request.ts';

/** The header of a list that answers QUERY: the formats of a query (RFC 10008, section 3). */
export const queryFormats = {
  'Accept-Query': 'application/json, application/x-www-form-urlencoded',
} as const;

/** Whether a list answers QUERY (RFC 10008) as it answers GET: it takes parameters. */
export const answersQuery = ({ method, query, reply }: Operation): boolean =>
  method === 'GET' && reply.isList === true && query !== undefined;

/** In bytes. The longest query of a list has a hundred values for some filters. */
const maxQueryBytes = 65_536;

/**
 * Makes a QUERY request the GET of its equivalent resource, whose address has the content in its
 * query. A parameter of the content replaces that of the address. Returns the refusal of a content
 * that is no query, for after the other checks.
 */
export async function takeAsGet(c: Context<AppEnv>): Promise<HttpError | undefined> {
  const { raw } = c.req;
  const url = new URL(raw.url);
  let refusal: HttpError | undefined;
  try {
    const sent = await readContent(raw);
    const names = new Set(sent.map(([name]) => name));
    const own = url.search.slice(1).split('&');
    const kept = own.filter((part) => !names.has(parseSentQuery(part).pairs[0]?.[0] ?? ''));
    const added = sent.map((pair) => pair.map(encodeURIComponent).join('='));
    url.search = [...kept, ...added].filter(Boolean).join('&');
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    refusal = error;
  }
  const headers = new Headers(raw.headers);
  for (const name of ['Content-Type', 'Content-Length', 'Content-Encoding']) headers.delete(name);
  c.req.raw = new Request(url, { method: 'GET', headers, cf: raw.cf } as RequestInit);
  return refusal;
}

type Pairs = SentQuery['pairs'];

async function readContent(request: Request): Promise<Pairs> {
  const bytes = await readLimitedBody(request, maxQueryBytes);
  if (!bytes) throw new HttpError('body_too_large');
  const sentType = request.headers.get('Content-Type') ?? '';
  const mediaType = sentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  // No format is guessed (section 2.1).
  if (!isForm && !/^application\/(?:[^/\s]+\+)?json$/.test(mediaType)) {
    throw new HttpError('unsupported_media_type', { headers: queryFormats });
  }
  if (!isForm) return pairsOf(decodeJson(bytes, sentType) ?? {});
  const { pairs, malformed } = parseSentQuery(new TextDecoder().decode(bytes));
  const [first] = malformed;
  if (first !== undefined)
    throw refused(first, 'Must be UTF-8 in percent-encoding, such as caf%C3%A9.');
  return pairs;
}

/**
 * The parameters of a JSON object: lists in brackets, and objects with their names in them, as in
 * an address.
 */
function pairsOf(json: unknown): Pairs {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw refused(
      'body',
      'Must be an object of parameters, such as {"limit": 100}.',
      'malformed_body',
    );
  }
  return Object.entries(json).flatMap(([name, value]): Pairs => {
    if (Array.isArray(value)) return value.flatMap((one) => pairOf(name, `${name}[]`, one));
    if (typeof value !== 'object' || value === null) return pairOf(name, name, value);
    return Object.entries(value).flatMap(([key, one]) => pairOf(name, `${name}[${key}]`, one));
  });
}

/** One value; null is none, as an empty text is. */
function pairOf(parameter: string, name: string, value: unknown): Pairs {
  if (value === null) return [];
  const text = typeof value === 'object' ? '\0' : String(value);
  if (text.includes('\0') || !text.isWellFormed() || !name.isWellFormed()) {
    throw refused(
      parameter.toWellFormed(),
      'Must be a text, a number, true or false, or a list of them.',
    );
  }
  return [[name, text]];
}

const refused = (
  name: string,
  message: string,
  code: 'invalid_query' | 'malformed_body' = 'invalid_query',
) => new HttpError(code, { errors: Object.fromEntries([[name, [message]]]) });
