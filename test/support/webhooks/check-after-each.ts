import { afterEach } from 'vitest';
import { checkTracked } from './tracked.ts';

// The invariants of src/webhooks/README.md hold after every test.
afterEach(async () => {
  const violations = await checkTracked();
  if (violations.length > 0) throw new Error(violations.join('\n'));
});
