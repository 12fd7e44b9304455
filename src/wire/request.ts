import * as z from 'zod';
import { object } from './object.ts';

/** A field is one schema, or a pair when POST and PUT read it differently (nested objects). */
type Field = z.ZodType | { post: z.ZodType; put: z.ZodType };
type Side = 'post' | 'put';
type Of<F extends Field, S extends Side> = F extends z.ZodType
  ? F
  : F extends Record<S, infer Schema extends z.ZodType>
    ? Schema
    : never;

type Required = Record<string, Field>;
type Optional = Record<string, readonly [Field, unknown]>;
type Flat<T> = { [Key in keyof T]: T[Key] } & {};

type Post<R extends Required, O extends Optional> = Flat<
  { [Key in keyof R]: z.output<Of<R[Key], 'post'>> } & {
    [Key in keyof O]: z.output<Of<O[Key][0], 'post'>>;
  }
>;
type Put<R extends Required, O extends Optional> = Flat<
  { [Key in keyof R]: z.output<Of<R[Key], 'put'>> } & {
    [Key in keyof O]?: Exclude<z.output<Of<O[Key][0], 'put'>>, undefined>;
  }
>;

/** The two bodies of a resource: what POST and what PUT make of what a client sends. */
export interface Request<R extends Required, O extends Optional> {
  post: z.ZodType<Post<R, O>>;
  put: z.ZodType<Put<R, O>>;
}

/**
 * Declares the fields of a body once (contract 1.5). POST takes the default of an optional field
 * that is absent; a default is written as a client would send it (`undefined`: none, as for
 * slugs). PUT leaves what is absent out of its result, so that the stored value stays.
 */
export function request<R extends Required = {}, O extends Optional = {}>(fields: {
  required?: R;
  optional?: O;
}): Request<R, O> {
  const required = Object.entries(fields.required ?? {});
  const optional = Object.entries(fields.optional ?? {});
  const post = object({
    ...Object.fromEntries(required.map(([name, field]) => [name, side(field, 'post')])),
    ...Object.fromEntries(
      optional.map(([name, [field, value]]) => [name, withDefault(side(field, 'post'), value)]),
    ),
  });
  const put = object({
    ...Object.fromEntries(required.map(([name, field]) => [name, side(field, 'put')])),
    ...Object.fromEntries(
      optional.map(([name, [field]]) => [name, z.optional(side(field, 'put'))]),
    ),
  }).transform(withoutUndefined);
  // The shapes are built from entries, which forgets the names: the types above say them again.
  return { post, put } as unknown as Request<R, O>;
}

function side(field: Field, which: Side): z.ZodType {
  return field instanceof z.ZodType ? field : field[which];
}

function withDefault(schema: z.ZodType, value: unknown): z.ZodType {
  // Not .default(): zod leaves defaults of transformed values out of the JSON schema.
  return value === undefined ? z.optional(schema) : z.prefault(schema, value);
}

function withoutUndefined(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
