import type * as z from 'zod';

/**
 * Parses a body. Where the schema has an object, an empty array counts as an empty object, since
 * PHP writes both alike. Only a body that would be refused is looked through; the arrays are
 * replaced in it.
 */
export function parseBody<Output>(
  schema: z.ZodType<Output>,
  body: unknown,
): z.ZodSafeParseResult<Output> {
  const result = schema.safeParse(body);
  const issues = result.error?.issues ?? [];
  const whole = { body };
  const replaced = issues.filter(
    (issue) =>
      issue.code === 'invalid_type' &&
      issue.expected === 'object' &&
      replaceEmptyArray(whole, ['body', ...issue.path]),
  );
  return replaced.length > 0 ? parseBody(schema, whole.body) : result;
}

function replaceEmptyArray(body: unknown, path: readonly PropertyKey[]): boolean {
  const [name, ...deeper] = path;
  if (name === undefined || !isHolder(body)) return false;
  const value = body[name];
  if (deeper.length > 0) return replaceEmptyArray(value, deeper);
  if (!isEmptyArray(value)) return false;
  body[name] = {};
  return true;
}

/** Whether a value is an array without items. */
export const isEmptyArray = (value: unknown): value is [] =>
  Array.isArray(value) && value.length === 0;

const isHolder = (value: unknown): value is Record<PropertyKey, unknown> =>
  typeof value === 'object' && value !== null;
