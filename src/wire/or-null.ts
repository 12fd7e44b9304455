import * as z from 'zod';
import { cleanText, isWellFormed } from './clean.ts';
import { cleanedStrings } from './text.ts';

/**
 * A nullable request field: `null` is accepted, and a text that is empty once cleaned becomes
 * `null` (for strings that are not cleaned, such as a url: the empty string alone). `""` stays
 * invalid for fields that are no strings, such as ids and numbers.
 */
export function orNull<Schema extends z.ZodType>(
  schema: Schema,
): z.ZodType<z.output<Schema> | null, z.input<Schema> | null> {
  const isBlank = blank(schema);
  // z.preprocess has the input type unknown; what the schema itself takes is the truth here.
  return z.preprocess(
    (value) => (typeof value === 'string' && isBlank(value) ? null : value),
    schema.nullable(),
  ) as unknown as z.ZodType<z.output<Schema> | null, z.input<Schema> | null>;
}

function blank(schema: z.core.$ZodType): (value: string) => boolean {
  const input = innermostInput(schema);
  if (cleanedStrings.has(input)) return (value) => isWellFormed(value) && cleanText(value) === '';
  return takesStrings(input) ? (value) => value === '' : () => false;
}

function innermostInput(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') {
    return innermostInput(def.in._zod.def.type === 'transform' ? def.out : def.in);
  }
  return 'innerType' in def ? innermostInput(def.innerType) : schema;
}

function takesStrings(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'union')
    return def.options.some((option) => takesStrings(innermostInput(option)));
  return def.type === 'string';
}
