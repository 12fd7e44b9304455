import * as z from 'zod';
import { arrayMessage, messageOrRequired, addIssue, formatNumber } from '../field-messages.ts';
import { refuseLonger } from './arrays-and-objects.ts';
import { stringInput, textRules } from './string-input.ts';

const idMessage = 'Must be a positive whole number.';
const numberMessage = 'Must be a whole number from 0.';

/** Request field: id of a record. */
export function recordId() {
  return z.int({ error: messageOrRequired(idMessage) }).min(1, idMessage);
}

/** Response field: the id of the record itself. */
export const idOutput = z
  .int()
  .describe('Given by the service and never used for another record, even after a deletion.');

/** Response field: the id of the store. */
export const merchantId = z
  .int()
  .describe('Store of the record: its id in merchants of POST /auth/me.');

/** Whether a value is a JSON number that can be an id. */
function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/**
 * Request field: array of at most `max` ids. Duplicates are dropped, and `min` counts distinct ids.
 */
export function ids({ min = 0, max = 1000 } = {}) {
  const items = { type: 'integer' as const, minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  const array = z
    .array(z.unknown(), { error: arrayMessage('Must be an array of ids.') })
    .meta({ items, ...(min > 0 && { minItems: min }), maxItems: max })
    .transform((values, context): number[] => parseDistinctIds(values, min, max, context));
  return z.pipe(refuseLonger<z.input<typeof array>>(max, tooManyIds(max)), array);
}

/**
 * Inside a transform: checks ids and drops duplicates. Checks no items of a list that is too long.
 */
function parseDistinctIds(
  values: readonly unknown[],
  min: number,
  max: number,
  context: z.core.$RefinementCtx,
): number[] {
  if (values.length > max) return addIssue(context, tooManyIds(max));
  const distinct = [...new Set(values)];
  if (distinct.length < min)
    return addIssue(context, `Must contain at least ${formatIdCount(min)}.`);
  for (const [index, value] of values.entries()) {
    if (!isId(value)) context.addIssue({ code: 'custom', message: idMessage, path: [index] });
  }
  return distinct.filter(isId);
}

/** Id in a path: `[1-9][0-9]*`, up to 9007199254740991. */
export const pathId = stringInput(idMessage, 16)
  .meta({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
  .transform((value, context) => {
    const parsed = /^[1-9][0-9]{0,15}$/.test(value) ? Number(value) : 0;
    return isId(parsed) ? parsed : addIssue(context, idMessage);
  });

/** Number in a path, from 0 on: `0|[1-9][0-9]*`, up to 9007199254740991. */
export const pathNumber = stringInput(numberMessage, 16)
  .regex(/^(0|[1-9][0-9]{0,15})$/, numberMessage)
  .transform(Number)
  .refine(Number.isSafeInteger, numberMessage);

const tooManyIds = (max: number) => `Must contain at most ${formatIdCount(max)}.`;

function formatIdCount(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'id' : 'ids'}`;
}

const bracketedMessage = 'Must be an array of ids, or a string such as "[4, 8, 15]".';
const bracketedPattern = /^\s*\[([\d\s,]*)\]\s*$/;

const bracketedExample = '[4, 8, 15]';

const bracketedText = z
  .string()
  .meta({ pattern: String.raw`^\[(?:\d+(?:, \d+)*)?\]$`, examples: [bracketedExample] });

/** Response field: ids, or the JSON text of an array of ids, as the string `"[4, 8, 15]"`. */
export const bracketedIds = z.codec(z.union([z.array(z.int()), z.string()]), bracketedText, {
  decode: (stored) =>
    typeof stored === 'string'
      ? formatBracketed(JSON.parse(stored) as number[])
      : formatBracketed(stored),
  encode: (text) => JSON.parse(text) as number[],
});

/** Request field: an array of ids, or a string such as `"[4, 8, 15]"`. Stored as distinct ids. */
export function idsOrBracketed({ min = 0, max = 1000 } = {}) {
  const items = { type: 'integer' as const, minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  const array = z.array(z.unknown()).meta({ items, maxItems: max });
  // The longest id has 16 digits; a comma and a space follow it.
  const string = stringInput(bracketedMessage, 18 * max)
    .meta({ pattern: bracketedPattern.source, examples: [bracketedExample] })
    .register(textRules, { rule: 'raw' });
  const either = z
    .union([array, string], { error: arrayMessage(bracketedMessage) })
    .transform((value, context): number[] => {
      const values = typeof value === 'string' ? parseBracketed(value) : value;
      return values
        ? parseDistinctIds(values, min, max, context)
        : addIssue(context, bracketedMessage);
    });
  return z.pipe(refuseLonger<z.input<typeof either>>(max, tooManyIds(max)), either);
}

function formatBracketed(ids: readonly number[]): string {
  return `[${ids.join(', ')}]`;
}

function parseBracketed(value: string): number[] | undefined {
  const inner = bracketedPattern.exec(value)?.[1]?.trim();
  if (inner === undefined) return undefined;
  if (inner === '') return [];
  const parts = inner.split(',').map((part) => part.trim());
  return parts.every((part) => /^\d+$/.test(part)) ? parts.map(Number) : undefined;
}

/**
 * Body of an operation that links records: 1 to 1,000 ids under `name` or under its alternative
 * spelling.
 */
export function associationBody(name: string, alternative?: string) {
  const linkedIds = ids({ min: 1 }).optional();
  const meaning = 'Records to link or unlink. One unknown id is a 404, and then nothing changes.';
  return z
    .object(
      {
        [name]: linkedIds.describe(meaning),
        ...(alternative !== undefined && {
          [alternative]: linkedIds.describe(`The same under another name; ${name} wins.`),
        }),
      },
      { error: 'Must be an object.' },
    )
    .meta({ required: [name], examples: [{ [name]: [4, 8, 15] }] })
    .transform((body, context): number[] => {
      const value = body[name] ?? (alternative === undefined ? undefined : body[alternative]);
      if (value) return value;
      context.addIssue({ code: 'custom', message: 'Required.', path: [name] });
      return z.NEVER;
    });
}

/** Regular expression of an event id (see `data/core/event-id.ts`). */
export const eventIdPattern = '^evt_[0-9a-f]{46}$';

export const eventIdExample = 'evt_00000000000007019af3a45b6c7d8e9f0123456789abcd';

const eventIdMessage = 'Must be the id of an event.';

/** Id of an event in a path. */
export const pathEventId = stringInput(eventIdMessage, eventIdExample.length)
  .regex(new RegExp(eventIdPattern), eventIdMessage)
  .meta({ examples: [eventIdExample] });
