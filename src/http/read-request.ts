import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';
import { pathId } from '../base/codecs/fields/ids.ts';
import { defaultZone, runInZone } from '../base/codecs/fields/zone.ts';
import { splitNames } from '../base/codecs/listing/parse-parameters.ts';
import { findUnknownFields } from '../base/codecs/unknown-fields.ts';
import { type FieldErrors, HttpError, notFound, ValidationError } from '../base/errors.ts';
import type { Admitted } from './access/admit.ts';
import { assertMayInclude, assertMaySend } from './access/restricted-fields.ts';
import type { AppEnv } from './app-env.ts';
import { isBodyOptional, type Operation, specialPathParam } from './operation.ts';
import { decodeJsonText, malformedJson } from './read-body.ts';
import { validated, validator } from './validate.ts';

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
