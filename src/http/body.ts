import type { HonoRequest } from 'hono';
import type { z } from 'zod';
import { InvalidBody, Problem } from '../problem.ts';
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

/**
 * Decodes a body by the row's schema. Answers with what is stored and the names of the fields that nobody
 * knows; throws `InvalidBody` with all field problems together, and for the unknown ones too if `isStrict`.
 */
export function decodeBody(
  schema: z.ZodType,
  known: readonly string[],
  body: unknown,
  isStrict: boolean,
): { value: unknown; unknown: string[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidBody({ body: ['Must be an object.'] });
  }
  const parsed = schema.safeParse(body);
  const unknown = unknownFields(schema, body, known);
  const strange = isStrict
    ? Object.fromEntries(unknown.map((name) => [name, ['Unknown field.']]))
    : {};
  if (!parsed.success) throw new InvalidBody({ ...fieldErrors(parsed.error), ...strange });
  if (isStrict && unknown.length > 0) throw new InvalidBody(strange);
  return { value: parsed.data, unknown };
}
