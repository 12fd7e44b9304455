import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type * as z from 'zod';
import { toFieldErrors } from '../base/codecs/field-errors.ts';
import type { FieldErrors } from '../base/errors.ts';
import type { AppEnv } from './app-env.ts';

/**
 * Uses the parts of Hono that its documentation does not promise; no other file does
 * (`oxlint.config.ts`). `test/http/hono-adapter.test.ts` says what a new version changes.
 */

/**
 * Returns the path of a request as Hono's router reads it: without a query, and with decoded
 * letters.
 */
export { getPath } from 'hono/utils/url';

/** The part of a request that is validated. */
type Target = 'param' | 'json' | 'form';

/** The result of zod for a value. */
type Result = { success: true; data: unknown } | { success: false; error: z.core.$ZodError };

/**
 * A validator of `@hono/zod-validator`, which throws the error that `toError` creates from the
 * field errors. `addDefaults` turns the error of an operation into our error body, and a form shows
 * its own. `parse` replaces the asynchronous parse of zod. It is there for speed, for dates in the
 * zone of the store, or for checks that a schema alone cannot express. The package reads bodies
 * without our limits: hold the body ({@link holdText}, {@link holdForm}) before.
 */
export const validator = (
  target: Target,
  schema: z.ZodType,
  toError: (errors: FieldErrors) => Error,
  parse?: (value: unknown) => Result | Promise<Result>,
): MiddlewareHandler<AppEnv> => {
  const refuse = ({ error }: { error?: z.core.$ZodError }) => {
    if (error) throw toError(toFieldErrors(error));
  };
  // The types of the package infer the input of a route; operations and forms state theirs
  // themselves.
  return zValidator(
    target,
    schema as never,
    refuse as never,
    parse && { validationFunction: (_, value) => parse(value) as never },
  ) as unknown as MiddlewareHandler<AppEnv>;
};

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

/** Whether the validator could not read JSON. */
export const isMalformedJson = (error: unknown) => error instanceof HTTPException;

/** Gives the text of a body to the validator, which then reads nothing. */
export function holdText({ req }: Context<AppEnv>, text: string) {
  // Hono declares the resolved type of a promise that it awaits.
  req.bodyCache.text = Promise.resolve(text) as unknown as string;
}

/** Gives the fields of a form to the validator, which then reads nothing. */
export function holdForm({ req }: Context<AppEnv>, form: FormData) {
  req.bodyCache.formData = form;
}

/**
 * Whether the validator takes a media type for JSON; it knows fewer characters of a suffix type
 * than we accept.
 */
export const isParsedByHono = (mediaType: string | undefined) =>
  /^application\/(?:[\w.-]+\+)?json$/i.test(mediaType?.split(';', 1)[0]?.trim() ?? '');
