import * as z from 'zod';
import { innerSchema, partsOf, type AnySchema } from '../zod-adapter.ts';
import { cleanText, isWellFormed } from './normalize-text.ts';
import { costOf, textRules } from './string-input.ts';

/**
 * Request field: nullable. A text that is empty after cleaning becomes `null`; for other strings,
 * such as a URL, only `""` does. For fields that are not strings, such as numbers, `""` stays
 * invalid.
 */
export function orNull<Schema extends z.ZodType>(
  schema: Schema,
): z.ZodType<z.output<Schema> | null, z.input<Schema> | null> {
  const isBlank = blankCheck(schema);
  // z.preprocess widens the input type to unknown; the schema's own input type is right.
  return z.preprocess(
    (value) => (typeof value === 'string' && isBlank(value) ? null : value),
    schema.nullable(),
  ) as unknown as z.ZodType<z.output<Schema> | null, z.input<Schema> | null>;
}

/**
 * Cleaning keeps such a first character, so the text is not blank and need not be cleaned twice.
 */
const startsVisibly = /^[!-;=-~\u00a1-\u00ac\u00ae-\u02ff]/;

function blankCheck(schema: AnySchema): (value: string) => boolean {
  const input = innermostInput(schema);
  const max = textRules.get(input)?.max;
  if (max !== undefined) {
    // A costly text is not cleaned here; the schema itself rejects it.
    return (value) =>
      !startsVisibly.test(value) &&
      costOf(value, max) === undefined &&
      isWellFormed(value) &&
      cleanText(value) === '';
  }
  return acceptsStrings(input) ? (value) => value === '' : () => false;
}

function innermostInput(schema: AnySchema): AnySchema {
  const inner = innerSchema(schema);
  return inner ? innermostInput(inner) : schema;
}

function acceptsStrings(schema: AnySchema): boolean {
  const def = partsOf(schema);
  if (def.type === 'union')
    return def.options.some((option) => acceptsStrings(innermostInput(option)));
  return def.type === 'string';
}
