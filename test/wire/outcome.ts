import { z } from 'zod';
import { fieldErrors } from '../../src/wire/errors.ts';

/** What a schema makes of a value: `{ value }`, or its `errors` as a refusal shows them. */
export function outcome(schema: z.ZodType, value: unknown) {
  const result = schema.safeParse(value);
  return result.success ? { value: result.data } : { errors: fieldErrors(result.error) };
}

/** The outcome of a single value that is refused with one sentence. */
export const refused = (sentence: string) => ({ errors: { body: [sentence] } });

/** The document's schema of what is sent. */
export function sent(schema: z.ZodType) {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return shape;
}

/** The document's schema of what is shown. */
export function shown(schema: z.ZodType) {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'output' });
  return shape;
}

/** Values of every JSON kind, none of which may make a schema throw. */
export const anything: unknown[] = [
  undefined,
  null,
  true,
  0,
  -0,
  -1,
  1.5,
  1e300,
  2 ** 53,
  '',
  ' ',
  'text',
  '\ud800',
  '0',
  '9'.repeat(400),
  '{}',
  '[',
  '[[1]]',
  'http://',
  '9999-99-99 99:99:99',
  '0000-01-01 00:00:00',
  '+999999-01-01T00:00:00Z',
  [],
  [null],
  [[]],
  {},
  { data: [] },
  { date: 1, timezone: 2 },
  { date: '2031-03-05 9:04:07', timezone: 'Mars/Olympus' },
  { __proto__: null, constructor: 1 },
];
