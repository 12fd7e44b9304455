import type { HonoRequest } from 'hono';
import type * as z from 'zod';
import { InvalidBody, Problem, type FieldErrors } from '../problem.ts';
import { fieldErrors } from '../wire/errors.ts';
import { unknownFields } from '../wire/unknown-fields.ts';

/** The largest body that is read, in bytes. */
export const maxBodyBytes = 1_048_576;

/**
 * Reads a JSON body: 413 when it is too large, 415 when its media type is not JSON, 400 when it is
 * malformed; `undefined` when it is empty.
 */
export async function readBody(request: HonoRequest): Promise<unknown> {
  const text = await request.text();
  if (text === '') return undefined;
  if (text.length > maxBodyBytes) throw new Problem(413);
  const type = request.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/(?:[^/\s]+\+)?json$/.test(type)) {
    throw new Problem(415, { headers: { Accept: 'application/json' } });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, { errors: { body: ['Must be valid JSON.'] } });
  }
}

/** The body if it is an object, which is the only root there is. */
export function objectIn(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidBody({ body: ['Must be an object.'] });
  }
  return body as Record<string, unknown>;
}

/**
 * Decodes a body by the row's schema. Answers with what is stored and the names of the fields that nobody
 * knows; throws `InvalidBody` with all field problems together, those `found` elsewhere among them, and for the
 * unknown ones too if `isStrict`.
 */
export function decodeBody(
  schema: z.ZodType,
  known: readonly string[],
  body: Record<string, unknown>,
  { isStrict, found }: { isStrict: boolean; found: FieldErrors },
): { value: unknown; unknown: string[] } {
  const parsed = schema.safeParse(body);
  const unknown = unknownFields(schema, body, known);
  const strange = isStrict
    ? Object.fromEntries(unknown.map((name) => [name, ['Unknown field.']]))
    : {};
  const malformed = parsed.success ? {} : fieldErrors(parsed.error);
  const errors = { ...found, ...malformed, ...strange };
  if (!parsed.success || Object.keys(errors).length > 0) throw new InvalidBody(errors);
  return { value: parsed.data, unknown };
}
