import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toFieldErrors } from '../../../src/base/codecs/field-errors.ts';

describe('toFieldErrors', () => {
  it('joins paths and drops repeated messages', () => {
    const issue = (path: (string | number)[], message: string) =>
      ({ code: 'custom', path, message, input: undefined }) as const;
    const error = new z.ZodError([
      issue(['items', 0, 'sku_id'], 'Required.'),
      issue(['name'], 'First.'),
      issue(['name'], 'Second.'),
      issue(['name'], 'First.'),
      issue([], 'Must be an object.'),
    ]);
    expect(toFieldErrors(error)).toEqual({
      'items.0.sku_id': ['Required.'],
      name: ['First.', 'Second.'],
      body: ['Must be an object.'],
    });
  });
});
