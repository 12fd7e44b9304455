import type { Context, MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import type { Admitted } from '../access/admit.ts';
import { toFieldErrors } from '../codecs/body/field-errors.ts';
import { findUnknownFields } from '../codecs/body/unknown-fields.ts';
import { pathId } from '../codecs/fields/ids.ts';
import { splitNames } from '../codecs/listing/parse-parameters.ts';
import { defaultZone, runInZone } from '../codecs/time/zone.ts';
import { type FieldErrors, HttpError, notFound, ValidationError } from '../errors.ts';
import type { AppEnv } from './app-env.ts';
import { decodeJson } from './body/read-json.ts';
import { isStrictRequest } from './headers/preferences.ts';
import { isBodyOptional, type Operation, specialPathParam } from './operation.ts';
import { assertMayInclude, assertMaySend } from './restricted-fields.ts';

/** Time zone for dates of the request and the response: the store's, or the default without a store. */
export const requestZone = ({ db }: Admitted) => db?.store.zone ?? defaultZone;

/**
 * Middleware: reads the ids of the path, then the query. 400 for a malformed id if the operation lists it, else 404; 400 for
 * a malformed value of the query, and for an unknown name in a strict request; 403 for an `include` that the caller may
 * not see.
 */
export function readAddress(operation: Operation): MiddlewareHandler<AppEnv> {
  const readIds = pathIdsReader(operation);
  return async (c, next) => {
    c.set('ids', readIds(c));
    c.set('query', readQuery(c, operation));
    await next();
  };
}

function pathIdsReader({ pathParams, errors }: Operation) {
  const schemas = pathParams.map(
    (name) => [name, specialPathParam(name)?.schema ?? pathId] as const,
  );
  return (c: Context<AppEnv>): Record<string, number | string> => {
    const ids: Record<string, number | string> = {};
    const invalid: string[] = [];
    for (const [name, schema] of schemas) {
      const { data } = schema.safeParse(c.req.param(name));
      if (data === undefined) invalid.push(name);
      else ids[name] = data;
    }
    if (invalid.length === 0) return ids;
    if (!errors.includes(400)) throw notFound();
    const fieldErrors = invalid.map((name) => [name, ['Must be a positive whole number.']]);
    throw new HttpError('invalid_id', { errors: Object.fromEntries(fieldErrors) });
  };
}

function readQuery(c: Context<AppEnv>, { query, reply }: Operation): unknown {
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
  const known = sent.filter(([name]) => query.names.includes(name));
  const values = Object.fromEntries(
    known.map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts]),
  );
  // Dates of a query are days in the store's zone, which is known only after authentication.
  const result = runInZone(requestZone(c.get('admitted')), () => query.schema.safeParse(values));
  if (!result.success) {
    throw new HttpError('invalid_query', { errors: toFieldErrors(result.error) });
  }
  if (include !== undefined) {
    assertMayInclude(c.get('admitted').principal, reply.schema, splitNames(include));
  }
  return result.data;
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
  const json = decodeJson(bytes, c.req.header('Content-Type'));
  if (json === undefined && isBodyOptional(operation)) return { body: undefined, warnings: [] };
  const fields = requireObject(json === undefined ? {} : json);
  assertMaySend(c.get('admitted').principal, schema, fields);
  const otherErrors = (await validateAsync?.(fields, c.get('settings'))) ?? {};
  const { value, unknown } = runInZone(requestZone(c.get('admitted')), () =>
    decodeBody(schema, fields, {
      serverFields: reply.recordFields,
      isStrict: isStrictRequest(c.req.raw.headers),
      otherErrors,
    }),
  );
  return { body: value, warnings: addWarning(c, 'field', unknown) };
}

function requireObject(json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new ValidationError({ body: ['Must be an object.'] });
  }
  return json as Record<string, unknown>;
}

/**
 * Decodes a body and finds its unknown fields; `serverFields` may be sent back and are ignored. Throws with the errors of
 * the schema, `otherErrors` and, in a strict request, those of the unknown fields.
 */
function decodeBody(
  schema: z.ZodType,
  fields: Record<string, unknown>,
  options: { serverFields: readonly string[]; isStrict: boolean; otherErrors: FieldErrors },
): { value: unknown; unknown: string[] } {
  const parsed = schema.safeParse(fields);
  const unknown = findUnknownFields(schema, fields, options.serverFields);
  const unknownErrors = options.isStrict
    ? Object.fromEntries(unknown.map((name) => [name, ['Unknown field.']]))
    : {};
  const schemaErrors = parsed.success ? {} : toFieldErrors(parsed.error);
  const errors = { ...options.otherErrors, ...schemaErrors, ...unknownErrors };
  if (!parsed.success || Object.keys(errors).length > 0) throw new ValidationError(errors);
  return { value: parsed.data, unknown };
}

/** Adds and returns the warning that names what was ignored. Names that do not fit into a header are counted. */
function addWarning(c: Context<AppEnv>, kind: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const printable = names.filter((name) => /^[\w.[\]-]{1,60}$/.test(name)).slice(0, 20);
  const others = names.length - printable.length;
  const listed = others > 0 ? [...printable, `${others} more`] : printable;
  const warning = `Unknown ${kind} ignored: ${listed.join(', ')}`;
  c.get('warnings').push(warning);
  return [warning];
}
