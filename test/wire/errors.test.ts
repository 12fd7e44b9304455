import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldErrors } from '../../src/wire/errors.ts';

describe('fieldErrors', () => {
  it('joins paths, gathers sentences and drops repeated ones', () => {
    const issue = (path: (string | number)[], message: string) =>
      ({ code: 'custom', path, message, input: undefined }) as const;
    const error = new z.ZodError([
      issue(['items', 0, 'sku_id'], 'Required.'),
      issue(['name'], 'First.'),
      issue(['name'], 'Second.'),
      issue(['name'], 'First.'),
      issue([], 'Must be an object.'),
    ]);
    expect(fieldErrors(error)).toEqual({
      'items.0.sku_id': ['Required.'],
      name: ['First.', 'Second.'],
      body: ['Must be an object.'],
    });
  });
});
