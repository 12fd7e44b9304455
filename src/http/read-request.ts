import type { Context } from 'hono';
import * as z from 'zod';
import { canonicalJson } from '../base/codecs/canonical-json.ts';
import { toFieldErrors } from '../base/codecs/field-errors.ts';
import { pathId } from '../base/codecs/fields/ids.ts';
import { defaultZone, runInZone } from '../base/codecs/fields/zone.ts';
import type { Listing } from '../base/codecs/listing/options.ts';
import { splitNames } from '../base/codecs/listing/parse-parameters.ts';
import type { UnknownField } from '../base/codecs/listing/search.ts';
import { isEmptyArray, parseBody } from '../base/codecs/parse-body.ts';
import {
  malformedQueryMessage,
  parseSentQuery,
  type SentQuery,
} from '../base/codecs/sent-query.ts';
import { findUnknownFields } from '../base/codecs/unknown-fields.ts';
import { partsOf, type AnySchema } from '../base/codecs/zod-adapter.ts';
import { errorCodes } from '../base/error-codes.ts';
import { type FieldErrors, HttpError, insufficientScope, ValidationError } from '../base/errors.ts';
import type { Admitted } from './access/principal.ts';
import {
  assertMaySee,
  includeRequirements,
  maySee,
  sentRequirements,
} from './access/restricted-fields.ts';
import type { AppEnv } from './app-env.ts';
import { decodeBody } from './content-coding.ts';
import { filterRefusals } from './filter-refusals.ts';
import { holdText, isMalformedJson, isParsedByHono, validated, validator } from './hono-adapter.ts';
import { locateJsonError, locateWrongByte } from './locate-json-error.ts';
import { isBodyOptional, type Operation, specialPathParam } from './operation.ts';

/**
 * Time zone for dates of the request and the response: the store's, or the default without a store.
 */
export const requestZone = ({ db }: Admitted) => db?.store.zone ?? defaultZone;

/**
 * Reads the ids of the path, then the query.
 *
 * - 400 for a malformed id if the operation lists it, else 404;
 * - 400 for a malformed value of the query, and for an unknown name in a strict request;
 * - 403 for an `include` that the caller may not see.
 */
export function readAddress(operation: Operation): (c: Context<AppEnv>) => Promise<void> {
  const validateIds = idsValidator(operation);
  return async (c) => {
    const ids = validateIds ? await validated(c, 'param', validateIds) : {};
    // Each schema of a path returns one of these.
    c.set('ids', ids as Record<string, number | string>);
    c.set('query', readQuery(c, operation));
  };
}

/** The validator of the ids of a path, made once; `undefined` for a path without ids. */
function idsValidator({ pathParams, errors }: Operation) {
  if (pathParams.length === 0) return undefined;
  const shape = pathParams.map((name) => [name, specialPathParam(name)?.schema ?? pathId] as const);
  const schema = z.object(Object.fromEntries(shape));
  const toError = (invalid: FieldErrors) => {
    const names = pathParams.filter((name) => name in invalid);
    const messages = names.map((name) => {
      const special = specialPathParam(name);
      const like = special && `Must look like ${special.example}.`;
      return [name, [like ?? 'Must be a positive whole number.']];
    });
    const code = errors.includes(400) ? 'invalid_id' : 'not_found';
    const [, hint] = errorCodes.invalid_id;
    return new HttpError(code, { hint, errors: Object.fromEntries(messages) as FieldErrors });
  };
  return validator('param', schema, toError, (ids) => schema.safeParse(ids));
}

const noQuery: SentQuery = { pairs: [], malformed: [] };

/** The query of a request, decoded once. */
export function sentQuery(c: Context<AppEnv>): SentQuery {
  const { url } = c.req;
  const start = url.indexOf('?');
  // Most requests for a record have none.
  if (start < 0) return noQuery;
  const known = c.get('sentQuery') as SentQuery | undefined;
  if (known) return known;
  const sent = parseSentQuery(url.slice(start + 1));
  c.set('sentQuery', sent);
  return sent;
}

/**
 * Reads the query of an operation. Throws a 400 for a parameter that cannot be decoded, a value
 * that it cannot have, and a filter that would not filter. Other unknown names are a 400 in a
 * strict request, else a warning.
 */
function readQuery(c: Context<AppEnv>, operation: Operation): unknown {
  const { query, reply } = operation;
  const { pairs, malformed } = sentQuery(c);
  if (!query && pairs.length + malformed.length === 0) return undefined;
  const values: Record<string, string | string[]> = {};
  const unknown = new Set<string>();
  for (const [name, value] of pairs) {
    const declared = query && declaredName(query.names, name);
    if (declared === undefined) unknown.add(name);
    else addValue(values, declared, value);
  }
  const include = [values.include ?? [], values['include[]'] ?? []].flat().flatMap(splitNames);
  const relations = include.filter(
    (name) => name !== '' && query?.includes?.includes(name) === false,
  );
  const isStrict = () => isStrictRequest(c.req.raw.headers);
  // Pairs, since a name may be `__proto__`.
  const problems = malformed.map((name): Problem => [name, [malformedQueryMessage]]);
  const refusalOf = unknown.size > 0 ? filterRefusals(operation) : undefined;
  for (const name of unknown) {
    const refusal = refusalOf?.(name) ?? (isStrict() ? 'Unknown parameter.' : undefined);
    if (refusal !== undefined) problems.push([name, [refusal]]);
  }
  if (relations.length > 0 && isStrict()) {
    problems.push(['include', ['Must name relations of this record.']]);
  }
  if (problems.length > 0) throw invalidQuery(Object.fromEntries(problems));
  addWarning(c, 'query parameter ignored', [...unknown]);
  addWarning(c, 'relation ignored', relations);
  if (!query) return undefined;
  noteSent(
    c,
    Object.keys(values).map((name) => `?${name}`),
  );
  // Dates of a query are days in the store's zone, which is known only after authentication.
  const parsed = runInZone(requestZone(c.get('admitted')), () => query.schema.safeParse(values));
  if (!parsed.success) throw invalidQuery(toFieldErrors(parsed.error));
  // Only listings have such words.
  const { unknownFields = [] } = parsed.data as Partial<Listing>;
  const isRefused = ({ name, isTight }: UnknownField) =>
    reply.recordFields.includes(name) || (isTight && isStrict());
  if (unknownFields.some(isRefused)) throw invalidQuery({ search: [unknownFieldMessage] });
  addWarning(
    c,
    'search field taken as text',
    unknownFields.map(({ name }) => name),
  );
  if (include.length > 0) {
    assertMaySee(c.get('admitted').principal, includeRequirements(reply.schema, include));
  }
  return parsed.data;
}

/**
 * The message about a word of a search that is a field of the record, or probably a misspelt one.
 */
const unknownFieldMessage =
  'Must name a field that this list searches, or be a text in which "\\:" stands for a colon.';

type Problem = [name: string, messages: string[]];

const invalidQuery = (errors: FieldErrors) => new HttpError('invalid_query', { errors });

/** The declared name of a parameter: `status[0]` is `status[]`. `undefined` for any other. */
function declaredName(names: readonly string[], name: string): string | undefined {
  if (names.includes(name)) return name;
  const list = name.replace(/\[\d+\]$/, '[]');
  return names.includes(list) ? list : undefined;
}

function addValue(values: Record<string, string | string[]>, name: string, value: string) {
  const before = values[name];
  if (before === undefined) values[name] = value;
  else if (typeof before === 'string') values[name] = [before, value];
  else before.push(value);
}

/**
 * Decodes the body, and adds a warning for unknown fields, which it also returns. An empty body
 * counts as `{}`, or as `undefined` if the body is optional. Throws a `ValidationError` with all
 * field errors together, and first a 403 for a field that the caller may not send.
 */
export async function decodeRequestBody(
  c: Context<AppEnv>,
  operation: Operation,
  bytes: Uint8Array,
): Promise<{ body: unknown; warnings: string[] }> {
  const { body: schema, reply, validateAsync } = operation;
  if (!schema) return { body: undefined, warnings: [] };
  const mediaType = c.req.header('Content-Type');
  const text = decodeJsonText(bytes, mediaType);
  if (text === undefined && isBodyOptional(operation)) return { body: undefined, warnings: [] };
  // The validator parses this text, and reads nothing.
  holdText(c, text ?? '{}');
  const { headers } = c.req.raw;
  let unknown: string[] = [];
  let furtherErrors: FieldErrors = {};
  let otherErrors: FieldErrors = {};
  const allErrors = (errors: FieldErrors) =>
    new ValidationError({ ...otherErrors, ...errors, ...furtherErrors });
  const validate = validator('json', schema, allErrors, async (value) => {
    const json: unknown =
      isParsedByHono(mediaType) || text === undefined ? value : JSON.parse(text);
    const fields = requireObject(json);
    noteSent(c, declaredNames(schema, fields));
    assertMaySee(c.get('admitted').principal, bodyRequirements(operation, fields));
    otherErrors = (await validateAsync?.(fields, c.get('settings'))) ?? {};
    const parsed = runInZone(requestZone(c.get('admitted')), () => parseBody(schema, fields));
    unknown = findUnknownFields(schema, fields, reply.recordFields);
    if (isStrictRequest(headers)) {
      furtherErrors = Object.fromEntries(unknown.map((name) => [name, ['Unknown field.']]));
    }
    return parsed;
  });
  const body = await validated(c, 'json', validate).catch((error: unknown) => {
    throw isMalformedJson(error) ? malformedJson(text) : error;
  });
  if (Object.keys(otherErrors).length + Object.keys(furtherErrors).length > 0) throw allErrors({});
  return { body, warnings: addWarning(c, 'field ignored', unknown) };
}

/** The scopes that a body needs besides that of its operation. */
const bodyRequirements = (
  { body, bodyScopes }: Operation,
  fields: Readonly<Record<string, unknown>>,
) => [...(body ? sentRequirements(body, fields) : []), ...(bodyScopes?.(fields) ?? [])];

/**
 * Adds to a 403 for the scope of an operation those that the includes and the body need, so that
 * one consent is enough. Returns any other error as it is.
 */
export async function withAllScopes(
  error: unknown,
  c: Context<AppEnv>,
  operation: Operation,
): Promise<unknown> {
  if (!(error instanceof HttpError) || error.code !== 'insufficient_scope') return error;
  const { access, body, reply } = operation;
  const included = sentQuery(c).pairs.filter(([name]) => /^include(?:\[\])?$/.test(name));
  const names = included.flatMap(([, value]) => splitNames(value));
  const fields = body ? await readFields(c) : {};
  const { principal } = c.get('caller');
  const needed = [
    ...includeRequirements(reply.schema, names),
    ...bodyRequirements(operation, fields),
  ];
  const missing = needed.filter((one) => one !== 'api-key' && !maySee(principal, one));
  const holder = principal.clientId === null ? 'api-key' : 'app';
  return insufficientScope([access, ...missing], holder);
}

/** The fields of a body of which only the scopes matter; none of a body that will be refused. */
async function readFields({ req }: Context<AppEnv>): Promise<Record<string, unknown>> {
  try {
    const json = decodeJson(await readBodyBytes(req.raw), req.header('Content-Type'));
    return requireObject(json ?? {});
  } catch {
    return {};
  }
}

/**
 * Notes names for the log of requests: only declared ones, since any other text may be personal.
 */
function noteSent(c: Context<AppEnv>, names: readonly string[]) {
  c.set('sent', [...((c.get('sent') as string[] | undefined) ?? []), ...names]);
}

/** The declared names of the first level among those of a body. */
function declaredNames(schema: AnySchema, fields: Record<string, unknown>): string[] {
  const def = partsOf(schema);
  if (def.type === 'pipe') return declaredNames(def.in, fields);
  return def.type === 'object' ? Object.keys(fields).filter((name) => name in def.shape) : [];
}

function requireObject(json: unknown): Record<string, unknown> {
  if (isEmptyArray(json)) return {};
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new ValidationError({ body: ['Must be an object.'] });
  }
  return json as Record<string, unknown>;
}

/** Whether the request asks for errors on unknown names: `Prefer: handling=strict` (RFC 7240). */
const isStrictRequest = (headers: Headers) =>
  /\bhandling\s*=\s*"?strict"?/i.test(headers.get('Prefer') ?? '');

/**
 * Adds and returns a warning about names, such as the ignored fields. Those that do not fit into a
 * header are counted.
 */
function addWarning(c: Context<AppEnv>, about: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const printable = names.filter((name) => /^[\w.[\]-]{1,60}$/.test(name)).slice(0, 20);
  const others = names.length - printable.length;
  const listed = others > 0 ? [...printable, `${others} more`] : printable;
  const warning = `Unknown ${about}: ${listed.join(', ')}`;
  c.get('warnings').push(warning);
  return [warning];
}

/**
 * Reads a body of at most `maxBytes`; `undefined` if it is longer. Counts the bytes of a body
 * without `Content-Length`, and those that a request of a coding stands for. The runtime cuts a
 * body with that header at its length (`body-framing.test.ts`).
 */
export async function readLimitedBody(
  source: Request | Response,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const length = source.headers.get('Content-Length');
  if (length === null || isCoded(source)) return bodyReader(source, maxBytes)(Infinity);
  if (Number(length) > maxBytes) return undefined;
  // Native code joins the chunks.
  const bytes = new Uint8Array(await source.arrayBuffer());
  return bytes.length > maxBytes ? undefined : bytes;
}

/** `fetch` decodes a response. */
const isCoded = (source: Request | Response): source is Request =>
  source instanceof Request && source.headers.has('Content-Encoding');

/**
 * Reads a body in steps, each to its end or so many bytes of it. A step returns all bytes until
 * there; `undefined` if there are more than `maxBytes`.
 */
export function bodyReader(source: Request | Response, maxBytes: number) {
  const isLong = Number(source.headers.get('Content-Length') ?? 0) > maxBytes;
  const body = !isLong && isCoded(source) ? decodeBody(source, maxBytes) : source.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A reader, not `for await`, whose iterator takes twice the time of a short body.
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
  return async (until: number): Promise<Uint8Array | undefined> => {
    if (isLong) return undefined;
    while (reader && size < until) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > maxBytes) {
        await reader.cancel();
        return undefined;
      }
      chunks.push(value);
    }
    return join(chunks, size);
  };
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** The largest accepted body, in bytes. */
const maxBodyBytes = 1_048_576;

/** How deep a body may be nested; the deepest schema has six levels. */
const maxLevels = 100;

/**
 * How many members the objects of a body may have together; the largest valid body has some
 * thousands.
 */
const maxMembers = 10_000;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

const encoder = new TextEncoder();

/**
 * Reads the bytes of a body, regardless of the method and `Content-Length`; throws a 413 beyond 1
 * MiB.
 */
export async function readBodyBytes(request: Request): Promise<Uint8Array> {
  const bytes = await readLimitedBody(request, maxBodyBytes);
  if (!bytes) throw new HttpError('body_too_large');
  return bytes;
}

/**
 * Returns the text of a JSON body, `undefined` for an empty one. Throws 415 if its media type is
 * not JSON, 400 if it is no UTF-8 or too complex to parse.
 */
function decodeJsonText(bytes: Uint8Array, mediaType: string | undefined): string | undefined {
  if (bytes.length === 0) return undefined;
  const type = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/(?:[^/\s]+\+)?json$/.test(type)) {
    throw new HttpError('unsupported_media_type', { headers: { Accept: 'application/json' } });
  }
  limitStructure(bytes);
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed(noJson, locateWrongByte(bytes));
  }
}

/**
 * Returns a body as it is compared with a repetition: its JSON in one spelling. A body that is
 * refused as it is read keeps its bytes.
 */
export function canonicalBody(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return bytes;
  try {
    limitStructure(bytes);
    return encoder.encode(canonicalJson(decoder.decode(bytes)));
  } catch {
    return bytes;
  }
}

const noJson = 'Must be valid JSON.';

/** The 400 of a text that is no JSON; it says where. */
const malformedJson = (text = '') => malformed(noJson, locateJsonError(text));

/** Decodes a JSON body, as {@link decodeJsonText} and a parse; a 400 for a text that is no JSON. */
export function decodeJson(bytes: Uint8Array, mediaType: string | undefined): unknown {
  const text = decodeJsonText(bytes, mediaType);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    throw malformedJson(text);
  }
}

const malformed = (...messages: (string | undefined)[]) =>
  new HttpError('malformed_body', {
    errors: { body: messages.filter((message) => message !== undefined) },
  });

const [quote, backslash, colon, openArray, closeArray, openObject, closeObject] = Array.from(
  '"\\:[]{}',
  (character) => character.charCodeAt(0),
);

/**
 * Throws a 400 for a body that is nested too deep or has too many members. Building such a value
 * would take fifty times as long as a text of the same size. Counts as a JSON parser would;
 * malformed JSON is left to the parser.
 */
function limitStructure(bytes: Uint8Array): void {
  let levels = 0;
  let members = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) isInString = !isInString;
    else if (isInString) at += byte === backslash ? 1 : 0;
    else if (byte === colon) members += 1;
    else if (byte === openArray || byte === openObject) {
      levels += 1;
      if (levels > maxLevels) throw malformed(`Must be nested at most ${maxLevels} levels deep.`);
    } else if (byte === closeArray || byte === closeObject) levels -= 1;
  }
  if (members > maxMembers) throw malformed('Must have at most 10,000 members in all objects.');
}
