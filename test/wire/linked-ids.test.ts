import { describe, expect, it } from 'vitest';
import { fieldErrors } from '../../src/wire/errors.ts';
import { linkedIds } from '../../src/wire/linked-ids.ts';

const schema = linkedIds('product_ids', 'products_ids');

describe('linkedIds', () => {
  it.each([
    [{ product_ids: [3, 3, 1] }, [3, 1]],
    [{ products_ids: [3] }, [3]],
    [{ product_ids: [1], products_ids: [3] }, [1]],
  ])('takes %j', (body, ids) => expect(schema.parse(body)).toEqual(ids));

  it.each([
    [{}, { product_ids: ['Required.'] }],
    [{ product_ids: [] }, { product_ids: ['Must hold at least 1 id.'] }],
    [{ product_ids: null }, { product_ids: ['Must be an array of ids.'] }],
    [{ products_ids: [0] }, { 'products_ids.0': ['Must be a positive whole number.'] }],
  ])('refuses %j', (body, errors) => {
    expect(fieldErrors(schema.safeParse(body).error!)).toEqual(errors);
  });

  it('knows one name where there is one', () => {
    expect(linkedIds('categories_ids').safeParse({ product_ids: [1] }).success).toBe(false);
  });
});
