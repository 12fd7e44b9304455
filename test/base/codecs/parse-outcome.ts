import { z } from 'zod';
import { toFieldErrors } from '../../../src/base/codecs/field-errors.ts';

/** Parses a value: returns `{ value }`, or `{ errors }` as in an error response. */
export function parseOutcome(schema: z.ZodType, value: unknown) {
  const result = schema.safeParse(value);
  return result.success ? { value: result.data } : { errors: toFieldErrors(result.error) };
}

/** The outcome of a value that is rejected with one message. */
export const bodyError = (message: string) => ({ errors: { body: [message] } });

/** The JSON schema of a request field. */
export function inputSchema(schema: z.ZodType) {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return shape;
}

/** The JSON schema of a response field. */
export function outputSchema(schema: z.ZodType) {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'output' });
  return shape;
}

/** Values of every JSON kind, none of which may make a schema throw. */
export const anyJsonValues: unknown[] = [
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
