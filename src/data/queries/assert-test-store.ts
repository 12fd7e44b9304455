import { HttpError } from '../../base/errors.ts';
import type { Store } from '../core/store.ts';

/** Throws 403 unless the store is a test store. `field` names what only such a store allows. */
export function assertTestStore({ test }: Pick<Store, 'test'>, field: string): void {
  if (test) return;
  throw new HttpError('test_store_only', {
    errors: { [field]: ['Only allowed in a test store.'] },
  });
}
