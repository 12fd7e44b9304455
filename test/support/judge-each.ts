import { afterEach } from 'vitest';
import { judgement } from './judged.ts';

// After every test of deliveries the invariants of webhooks 4 hold.
afterEach(async () => {
  const broken = await judgement();
  if (broken.length > 0) throw new Error(broken.join('\n'));
});
