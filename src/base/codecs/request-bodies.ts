import * as z from 'zod';
import { object } from './fields/arrays-and-objects.ts';

/** One schema, or a pair if POST and PUT parse the field differently (nested objects). */
type BodyField = z.ZodType | { post: z.ZodType; put: z.ZodType };
type BodyMethod = 'post' | 'put';
type FieldSchema<F extends BodyField, S extends BodyMethod> = F extends z.ZodType
  ? F
  : F extends Record<S, infer Schema extends z.ZodType>
    ? Schema
    : never;

type RequiredFields = Record<string, BodyField>;
type OptionalFields = Record<string, readonly [BodyField, unknown]>;
type Flat<T> = { [Key in keyof T]: T[Key] } & {};

type PostBody<R extends RequiredFields, O extends OptionalFields> = Flat<
  { [Key in keyof R]: z.output<FieldSchema<R[Key], 'post'>> } & {
    [Key in keyof O]: z.output<FieldSchema<O[Key][0], 'post'>>;
  }
>;
type PutBody<R extends RequiredFields, O extends OptionalFields> = Flat<
  { [Key in keyof R]: z.output<FieldSchema<R[Key], 'put'>> } & {
    [Key in keyof O]?: Exclude<z.output<FieldSchema<O[Key][0], 'put'>>, undefined>;
  }
>;

/** The schemas of the POST and the PUT body of a resource. */
interface RequestBodies<R extends RequiredFields, O extends OptionalFields> {
  post: z.ZodType<PostBody<R, O>>;
  put: z.ZodType<PutBody<R, O>>;
}

/**
 * Builds both bodies from one declaration of fields. POST applies the default of an absent optional
 * field; a default is written as a client would send it (`undefined`: none). PUT omits absent
 * fields, so their stored values stay.
 */
export function requestBodies<
  R extends RequiredFields = {},
  O extends OptionalFields = {},
>(fields: { required?: R; optional?: O }): RequestBodies<R, O> {
  const required = Object.entries(fields.required ?? {});
  const optional = Object.entries(fields.optional ?? {});
  const post = object({
    ...Object.fromEntries(required.map(([name, field]) => [name, schemaFor(field, 'post')])),
    ...Object.fromEntries(
      optional.map(([name, [field, value]]) => [
        name,
        withDefault(schemaFor(field, 'post'), value),
      ]),
    ),
  });
  const put = object({
    ...Object.fromEntries(required.map(([name, field]) => [name, schemaFor(field, 'put')])),
    ...Object.fromEntries(
      optional.map(([name, [field]]) => [name, z.optional(schemaFor(field, 'put'))]),
    ),
  }).transform(withoutUndefined);
  // Object.fromEntries loses the key types, which the types above restore.
  return { post, put } as unknown as RequestBodies<R, O>;
}

function schemaFor(field: BodyField, method: BodyMethod): z.ZodType {
  return field instanceof z.ZodType ? field : field[method];
}

function withDefault(schema: z.ZodType, value: unknown): z.ZodType {
  // Not .default(): zod omits the defaults of transformed values from the JSON schema.
  return value === undefined ? z.optional(schema) : z.prefault(schema, value);
}

function withoutUndefined(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
