import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/**
 * The type of a value, as the platform publishes it. A field whose name ends in `?` is optional.
 */
export type PublishedType =
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  | 'any'
  | { values: (string | number | boolean)[] }
  | { items: PublishedType }
  | { anyOf: PublishedType[] }
  | { fields: Record<string, PublishedType> };

/** A call that the platform publishes: its method and path, the parameters and the body. */
export interface PublishedCall {
  call: string;
  query: Record<string, PublishedType>;
  body?: PublishedType;
}

/** Made by `make-published-calls.ts`. */
const { calls } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'published-calls.json'), 'utf8'),
) as { calls: PublishedCall[] };

const objectOf = (fields: Record<string, PublishedType>, toSchema: typeof schemaOf) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, type]) =>
        name.endsWith('?')
          ? [name.slice(0, -1), toSchema(type).optional()]
          : [name, toSchema(type)],
      ),
    ),
  );

type Named = Extract<PublishedType, { fields: object }>;

/** Whether a type is an object with a field `type` of given values. */
function isNamed(type: PublishedType): type is Named {
  if (typeof type !== 'object' || !('fields' in type)) return false;
  const name = type.fields['type'];
  return typeof name === 'object' && 'values' in name;
}

const objectOfNamed = ({ fields }: Named) => objectOf(fields, schemaOf);

function schemaOf(type: PublishedType): z.ZodType {
  if (type === 'any') return z.unknown();
  if (type === 'string') return z.string();
  if (type === 'number') return z.number();
  if (type === 'boolean') return z.boolean();
  if (type === 'null') return z.null();
  if ('values' in type) return z.literal(type.values);
  if ('items' in type) return z.array(schemaOf(type.items));
  if ('anyOf' in type) {
    const named = type.anyOf.filter(isNamed);
    // A union of objects with a `type` each, such as bindings: what is wrong with one is said of
    // its own type.
    return named.length === type.anyOf.length
      ? z.discriminatedUnion('type', named.map(objectOfNamed) as [z.ZodObject, ...z.ZodObject[]])
      : z.union(type.anyOf.map(schemaOf));
  }
  return objectOf(type.fields, schemaOf);
}

/** The type of a parameter, whose value is text. */
function textOf(type: PublishedType): z.ZodType {
  if (type === 'number') return z.string().regex(/^\d+$/);
  if (type === 'boolean') return z.enum(['true', 'false']);
  if (typeof type === 'object' && 'values' in type) return z.enum(type.values.map(String));
  return schemaOf(type);
}

/** Fields of a call, by name. */
interface Beyond {
  query?: Record<string, PublishedType>;
  body?: Record<string, PublishedType>;
  /** Of the part `metadata` of an upload. */
  metadata?: Record<string, PublishedType>;
}

/**
 * What is sent although the client does not have it. All but `per_page` is sent by the pinned
 * wrangler.
 */
const beyond: Record<string, Beyond> = {
  // The list does without `per_page`, too.
  'GET /accounts/{}/queues': {
    query: { 'page?': 'string', 'name?': 'any', 'per_page?': 'string' },
  },
  'POST /accounts/{}/workers/scripts/{}/deployments': { body: { 'code_update_strategy?': 'any' } },
  'POST /accounts/{}/workers/scripts/{}/versions': {
    metadata: {
      'tail_consumers?': 'any',
      'limits?': 'any',
      'placement?': 'any',
      'assets?': 'any',
      'code_update_strategy?': 'any',
    },
  },
  'PUT /accounts/{}/workers/scripts/{}': {
    query: { 'excludeScript?': 'boolean' },
    metadata: { 'code_update_strategy?': 'any' },
  },
};

/** A type with further fields, if it has fields. */
const widen = (type: PublishedType, more: Record<string, PublishedType> = {}): PublishedType =>
  typeof type === 'object' && 'fields' in type ? { fields: { ...type.fields, ...more } } : type;

/**
 * The client has `database_id` in a binding of D1, and `id` as its former name; wrangler sends the
 * latter alone.
 */
function withSentBindings(type: PublishedType): PublishedType {
  if (typeof type !== 'object') return type;
  if ('items' in type) return { items: withSentBindings(type.items) };
  if ('anyOf' in type) return { anyOf: type.anyOf.map(withSentBindings) };
  if (!('fields' in type)) return type;
  const { database_id: id, 'id?': former, ...fields } = type.fields;
  if (id !== undefined && former !== undefined) {
    return { fields: { ...fields, id: former, 'database_id?': id } };
  }
  return {
    fields: Object.fromEntries(
      Object.entries(type.fields).map(([name, inner]) => [name, withSentBindings(inner)]),
    ),
  };
}

function widenBody(type: PublishedType, { body, metadata }: Beyond): PublishedType {
  const wide = widen(withSentBindings(type), body);
  if (!metadata || typeof wide !== 'object' || !('fields' in wide)) return wide;
  return widen(wide, { metadata: widen(wide.fields['metadata'] ?? 'any', metadata) });
}

const schemas = new Map(
  calls.map(({ call, query, body }) => {
    const more = beyond[call] ?? {};
    return [
      call,
      {
        query: objectOf({ ...query, ...more.query }, textOf),
        body: body && schemaOf(widenBody(body, more)),
      },
    ];
  }),
);

/**
 * Whether the platform publishes a call. Its name has `{}` for each part of the path that differs.
 */
export const isPublished = (call: string) => schemas.has(call);

/**
 * What does not fit in a call that the platform publishes; `undefined` if it fits, or is not
 * published.
 */
export function findMisfit(
  call: string,
  { query, body }: { query: unknown; body: unknown },
): string | undefined {
  const schema = schemas.get(call);
  if (!schema) return undefined;
  const error = schema.query.safeParse(query).error ?? schema.body?.safeParse(body ?? {}).error;
  return error && z.prettifyError(error);
}
