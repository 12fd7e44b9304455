import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import { toFieldErrors } from '../base/codecs/field-errors.ts';
import type { FieldErrors } from '../base/errors.ts';
import type { AppEnv } from './app-env.ts';

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
 * A validator of `@hono/zod-validator` with our hook. `parse` replaces the asynchronous parse of zod: for speed, for
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
