import * as z from 'zod';
import { expected, refuse, written } from './sentences.ts';

const SENTENCE = 'Must be a positive whole number.';

/** Id of a record in a body. */
export function id() {
  return z.int({ error: expected(SENTENCE) }).min(1, SENTENCE);
}

/** Whether a value is a JSON number that can be an id. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** Array of ids; each counts once, so the limits hold for the distinct ones. */
export function ids({ min = 0, max = 1000 } = {}) {
  const items = { type: 'integer' as const, minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  return z
    .array(z.unknown(), { error: expected('Must be an array of ids.') })
    .meta({ items, ...(min > 0 && { minItems: min }), maxItems: max })
    .transform((values, context): number[] => distinctIds(values, min, max, context));
}

/** Checks a list of ids inside a transform and drops the duplicates. */
export function distinctIds(
  values: readonly unknown[],
  min: number,
  max: number,
  context: z.core.$RefinementCtx,
): number[] {
  const distinct = [...new Set(values)];
  if (distinct.length > max) return refuse(context, `Must hold at most ${counted(max)}.`);
  if (distinct.length < min) return refuse(context, `Must hold at least ${counted(min)}.`);
  for (const [index, value] of values.entries()) {
    if (!isId(value)) context.addIssue({ code: 'custom', message: SENTENCE, path: [index] });
  }
  return distinct.filter(isId);
}

/** Id in a path: `[1-9][0-9]*` up to 9007199254740991. */
export const pathId = z
  .string({ error: expected(SENTENCE) })
  .meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  .transform((value, context) => {
    const parsed = /^[1-9][0-9]{0,15}$/.test(value) ? Number(value) : 0;
    return isId(parsed) ? parsed : refuse(context, SENTENCE);
  });

function counted(count: number): string {
  return `${written(count)} ${count === 1 ? 'id' : 'ids'}`;
}
