import { describe, expect, it, TestRunner } from 'vitest';
import { createTestStore } from '../fixtures/store.ts';
import { missingCodes } from './missing-codes.ts';
import { missingStatuses } from './missing-statuses.ts';

const created = '201 POST /{alias}/catalog/brands';

/** Tests the check that runs after the whole suite: it must be able to fail. */
describe('missingStatuses', () => {
  it('returns every documented status if there are no tests', () => {
    const missing = missingStatuses([]);
    expect(missing).toContain(created);
    expect(missing).toContain('422 POST /{alias}/catalog/brands');
    expect(missing).toContain('409 PUT /{alias}/catalog/skus/{id}/stocks/{stockId}');
    expect(missing).not.toContain('409 POST /{alias}/catalog/brands');
    expect(missing).toContain('409 POST /{alias}/catalog/brands for its idempotency key');
    expect(missing.filter((one) => one.includes('GET /') && one.includes('key'))).toEqual([]);
  });

  it.each([
    ['covered', 'a title with the status', 'returns 201 and a brand', ['createBrand 201'], false],
    ['missing', 'a title without a status', 'creates a brand', ['createBrand 201'], true],
    ['missing', 'a title with another status', 'returns 422', ['createBrand 201'], true],
    ['missing', 'another observed status', 'returns 201 and a brand', ['createBrand 422'], true],
    ['missing', 'a key response', 'returns 201 and a brand', ['createBrand 201 key'], true],
    ['missing', 'another operation', 'returns 201 and a brand', ['createCategory 201'], true],
  ])('counts a status as %s after a test with %s', (_result, _case, name, statuses, isMissing) => {
    expect(missingStatuses([{ name, statuses }]).includes(created)).toBe(isMissing);
  });

  it('gets the observed statuses from the test client', async () => {
    const { api } = await createTestStore();
    await api('POST /catalog/brands', { name: 'a', active: true });
    await api('GET /catalog/brands');
    expect(TestRunner.getCurrentTest()?.meta.observedStatuses).toEqual([
      'createBrand 201',
      'listBrands 200',
    ]);
  });
});

describe('missingCodes', () => {
  it('returns the codes that no test got, as the test client records them', async () => {
    const { api } = await createTestStore();
    await api('GET /catalog/brands/1');
    await api('GET /catalog/brands?limit=0');
    const codes = TestRunner.getCurrentTest()?.meta.observedCodes ?? [];
    expect(codes).toEqual(['not_found', 'invalid_query']);
    const missing = missingCodes([{ codes }, { codes: ['gone'] }]);
    expect(missing).toContain('out_of_stock');
    for (const code of ['not_found', 'invalid_query', 'gone']) expect(missing).not.toContain(code);
  });
});
