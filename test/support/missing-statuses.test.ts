import { describe, expect, it, TestRunner } from 'vitest';
import { missingStatuses } from './missing-statuses.ts';
import { store } from './store.ts';

const created = '201 POST /{alias}/catalog/brands';

/** The check of a whole run, checked: it must be able to fail. */
describe('missingStatuses', () => {
  it('names every row and status for which there is no test', () => {
    const missing = missingStatuses([]);
    expect(missing).toContain(created);
    expect(missing).toContain('422 POST /{alias}/catalog/brands');
    expect(missing).toContain('409 PUT /{alias}/catalog/skus/{id}/stocks/{stockId}');
    expect(missing).not.toContain('409 POST /{alias}/catalog/brands');
    expect(missing).toContain('409 POST /{alias}/catalog/brands for its idempotency key');
    expect(missing.filter((one) => one.includes('GET /') && one.includes('key'))).toEqual([]);
  });

  it.each([
    ['a test that says the status', '201 with a brand', ['createBrand 201'], false],
    ['a name that says no status', 'makes a brand', ['createBrand 201'], true],
    ['a name that says another status', '422 for a brand', ['createBrand 201'], true],
    ['a test in which the row did not answer it', '201 with a brand', ['createBrand 422'], true],
    ['an answer about an idempotency key', '201 with a brand', ['createBrand 201 key'], true],
    ['the same status of another row', '201 with a brand', ['createCategory 201'], true],
  ])('knows %s', (_what, name, answers, isMissing) => {
    expect(missingStatuses([{ name, answers }]).includes(created)).toBe(isMissing);
  });

  it('is told of the answers by the test client', async () => {
    const { api } = await store();
    await api('POST /catalog/brands', { name: 'a', active: true });
    await api('GET /catalog/brands');
    expect(TestRunner.getCurrentTest()?.meta.answers).toEqual([
      'createBrand 201',
      'listBrands 200',
    ]);
  });
});
