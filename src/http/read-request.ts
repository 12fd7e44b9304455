import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';
import { toFieldErrors } from '../base/codecs/field-errors.ts';
import { pathId } from '../base/codecs/fields/ids.ts';
import { defaultZone, runInZone } from '../base/codecs/fields/zone.ts';
import { splitNames } from '../base/codecs/listing/parse-parameters.ts';
import { findUnknownFields } from '../base/codecs/unknown-fields.ts';
import { type FieldErrors, HttpError, notFound, ValidationError } from '../base/errors.ts';
import type { Admitted } from './access/admit.ts';
import { assertMayInclude, assertMaySend } from './access/restricted-fields.ts';
import type { AppEnv } from './app-env.ts';
import { isBodyOptional, type Operation, specialPathParam } from './operation.ts';

/** Time zone for dates of the request and the response: the store's, or the default without a store. */
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
    c.set('query', await readQuery(c, operation));
  };
}

/** The validator of the ids of a path, made once; `undefined` for a path without ids. */
function idsValidator({ pathParams, errors }: Operation) {
  if (pathParams.length === 0) return undefined;
  const shape = pathParams.map((name) => [name, specialPathParam(name)?.schema ?? pathId] as const);
  const schema = z.object(Object.fromEntries(shape));
  const toError = (invalid: FieldErrors) => {
    if (!errors.includes(400)) return notFound();
    const names = pathParams.filter((name) => name in invalid);
    const fieldErrors = names.map((name) => [name, ['Must be a positive whole number.']]);
    return new HttpError('invalid_id', { errors: Object.fromEntries(fieldErrors) });
  };
  return validator('param', schema, toError, (ids) => schema.safeParse(ids));
}

async function readQuery(c: Context<AppEnv>, { query, reply }: Operation): Promise<unknown> {
  // Most requests for a record have none.
  if (!query && !c.req.url.includes('?')) return undefined;
  const sent = Object.entries(c.req.queries());
  const unknown = sent.map(([name]) => name).filter((name) => !query?.names.includes(name));
  const include = c.req.query('include');
  const relations = unknownRelations(query, include);
  if (unknown.length + relations.length > 0 && isStrictRequest(c.req.raw.headers)) {
    const errors = Object.fromEntries(unknown.map((name) => [name, ['Unknown parameter.']]));
    if (relations.length > 0) errors.include = ['Must name relations of this record.'];
    throw new HttpError('invalid_query', { errors });
  }
  addWarning(c, 'query parameter', unknown);
  addWarning(c, 'relation', relations);
  if (!query) return undefined;
  const isKnown = ([name]: [string, unknown]) => query.names.includes(name);
  noteSent(
    c,
    sent.filter(isKnown).map(([name]) => `?${name}`),
  );
  // Dates of a query are days in the store's zone, which is known only after authentication.
  const zone = requestZone(c.get('admitted'));
  const validate = validator(
    'query',
    query.schema,
    (errors) => new HttpError('invalid_query', { errors }),
    (values) => {
      const known = Object.fromEntries(Object.entries(values as object).filter(isKnown));
      return runInZone(zone, () => query.schema.safeParse(known));
    },
  );
  const result = await validated(c, 'query', validate);
  if (include !== undefined) {
    assertMayInclude(c.get('admitted').principal, reply.schema, splitNames(include));
  }
  return result;
}

/** The names in `include` that are no relations of the record, where the operation takes the parameter at all. */
const unknownRelations = (query: Operation['query'], include: string | undefined): string[] =>
  include === undefined || !query?.includes
    ? []
    : splitNames(include).filter((name) => name !== '' && !query.includes?.includes(name));

/**
 * Decodes the body, and adds a warning for unknown fields, which it also returns. An empty body counts as
 * `{}`, or as `undefined` if the body is optional. Throws a `ValidationError` with all field errors together, and first a
 * 403 for a field that the caller may not send.
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
  // Hono declares the resolved type of a promise that it awaits.
  c.req.bodyCache.text = Promise.resolve(text ?? '{}') as unknown as string;
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
    assertMaySend(c.get('admitted').principal, schema, fields);
    otherErrors = (await validateAsync?.(fields, c.get('settings'))) ?? {};
    const parsed = runInZone(requestZone(c.get('admitted')), () => schema.safeParse(fields));
    unknown = findUnknownFields(schema, fields, reply.recordFields);
    if (isStrictRequest(headers)) {
      furtherErrors = Object.fromEntries(unknown.map((name) => [name, ['Unknown field.']]));
    }
    return parsed;
  });
  const body = await validated(c, 'json', validate).catch((error: unknown) => {
    throw error instanceof HTTPException ? malformedJson() : error;
  });
  if (Object.keys(otherErrors).length + Object.keys(furtherErrors).length > 0) throw allErrors({});
  return { body, warnings: addWarning(c, 'field', unknown) };
}

/** Notes names for the log of requests: only declared ones, since any other text may be personal. */
function noteSent(c: Context<AppEnv>, names: readonly string[]) {
  c.set('sent', [...((c.get('sent') as string[] | undefined) ?? []), ...names]);
}

/** The declared names of the first level among those of a body. */
function declaredNames(schema: z.core.$ZodType, fields: Record<string, unknown>): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') return declaredNames(def.in, fields);
  return def.type === 'object' ? Object.keys(fields).filter((name) => name in def.shape) : [];
}

/** Whether Hono's validator takes a media type for JSON; it knows fewer characters of a suffix type than we accept. */
const isParsedByHono = (mediaType: string | undefined) =>
  /^application\/(?:[\w.-]+\+)?json$/i.test(mediaType?.split(';', 1)[0]?.trim() ?? '');

function requireObject(json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new ValidationError({ body: ['Must be an object.'] });
  }
  return json as Record<string, unknown>;
}

/** Whether the request asks for errors on unknown names: `Prefer: handling=strict` (RFC 7240). */
const isStrictRequest = (headers: Headers) =>
  /\bhandling\s*=\s*"?strict"?/i.test(headers.get('Prefer') ?? '');

/** Adds and returns the warning that names the ignored fields. Names that do not fit into a header are counted. */
function addWarning(c: Context<AppEnv>, kind: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const printable = names.filter((name) => /^[\w.[\]-]{1,60}$/.test(name)).slice(0, 20);
  const others = names.length - printable.length;
  const listed = others > 0 ? [...printable, `${others} more`] : printable;
  const warning = `Unknown ${kind} ignored: ${listed.join(', ')}`;
  c.get('warnings').push(warning);
  return [warning];
}

/**
 * Reads a body of at most `maxBytes`; `undefined` if it is longer. Counts the bytes of a body without `Content-Length`.
 * The runtime cuts a body with that header at its length (`body-framing.test.ts`).
 */
export async function readLimitedBody(
  request: Pick<Request | Response, 'headers' | 'body' | 'arrayBuffer'>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const length = request.headers.get('Content-Length');
  if (Number(length ?? 0) > maxBytes) return undefined;
  const { body } = request;
  if (!body) return new Uint8Array();
  if (length !== null) {
    // Native code joins the chunks.
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.length > maxBytes ? undefined : bytes;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A reader, not `for await`, whose iterator takes twice the time of a short body.
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return join(chunks, size);
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
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

/** How many members the objects of a body may have together; the largest valid body has some thousands. */
const maxMembers = 10_000;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Reads the bytes of a body, regardless of the method and `Content-Length`; throws a 413 beyond 1 MiB. */
export async function readBodyBytes(request: Request): Promise<Uint8Array> {
  const bytes = await readLimitedBody(request, maxBodyBytes);
  if (!bytes) throw new HttpError('body_too_large');
  return bytes;
}

/**
 * Returns the text of a JSON body, `undefined` for an empty one. Throws 415 if its media type is not JSON, 400 if it is
 * no UTF-8 or too complex to parse.
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
    throw malformedJson();
  }
}

/** The 400 of a text that is no JSON. */
const malformedJson = () => malformed('Must be valid JSON.');

/** Decodes a JSON body, as {@link decodeJsonText} and a parse; a 400 for a text that is no JSON. */
export function decodeJson(bytes: Uint8Array, mediaType: string | undefined): unknown {
  const text = decodeJsonText(bytes, mediaType);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    throw malformedJson();
  }
}

const malformed = (message: string) =>
  new HttpError('malformed_body', { errors: { body: [message] } });

const [quote, backslash, colon, openArray, closeArray, openObject, closeObject] = Array.from(
  '"\\:[]{}',
  (character) => character.charCodeAt(0),
);

/**
 * Throws a 400 for a body that is nested too deep or has too many members. Building such a value would take fifty times
 * as long as a text of the same size. Counts as a JSON parser would; malformed JSON is left to the parser.
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

/** The part of a request that is validated. */
type Target = 'param' | 'query' | 'json' | 'form';

/** The result of zod for a value. */
type Result = { success: true; data: unknown } | { success: false; error: z.core.$ZodError };

/**
 * The hook of every validator: throws the error that `toError` creates from the field errors. `addDefaults` turns the
 * error of an operation into our error body, and a form shows its own.
 */
const refuseWith =
  (toError: (errors: FieldErrors) => Error) =>
  (result: { success: boolean; error?: z.core.$ZodError }): void => {
    if (!result.success && result.error) throw toError(toFieldErrors(result.error));
  };

/**
 * A validator of `@hono/zod-validator` with our hook. `parse` replaces the asynchronous parse of zod. It is there for speed, for
 * dates in the zone of the store, or for checks that a schema alone cannot express. The package reads bodies without
 * our limits: put the text of a body (`text`) or the fields of a form (`formData`) into `c.req.bodyCache` before.
 */
export const validator = (
  target: Target,
  schema: z.ZodType,
  toError: (errors: FieldErrors) => Error,
  parse?: (value: unknown) => Result | Promise<Result>,
): MiddlewareHandler<AppEnv> =>
  // The types of the package infer the input of a route; operations and forms state theirs themselves.
  zValidator(
    target,
    schema as never,
    refuseWith(toError) as never,
    parse && { validationFunction: (_, value) => parse(value) as never },
  ) as unknown as MiddlewareHandler<AppEnv>;

const end = async () => {};

/** Runs a validator inside a handler, and returns the validated values. */
export async function validated(
  c: Context<AppEnv>,
  target: Target,
  validate: MiddlewareHandler<AppEnv>,
): Promise<unknown> {
  await validate(c, end);
  return c.req.valid(target as never);
}
