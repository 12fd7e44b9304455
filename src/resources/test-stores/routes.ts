import { operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { TestClockSchema } from '../../schemas/store/test-clock.ts';
import { advanceClock } from '../../test-stores/clock.ts';
import { ClockRequest } from './requests.ts';

export const testStoreOperations = [
  operation({
    id: 'advanceTestClock',
    route: 'POST /{alias}/test/clock',
    access: 'config.write',
    body: ClockRequest,
    reply: data(200, TestClockSchema),
    errors: [422],
    weight: 5,
    note: 'Only in test stores; other stores return 403. Idle carts, captures, deadlines of payments and retries of webhooks are brought forward at once, and what became due happens within seconds. Times that records show stay real, except abandoned_at of a cart. What was due twice in the time happens once, so advance in steps to see each.',
    run: async ({ db, body, background }) => {
      const advance = await advanceClock(db, body.advance_seconds);
      background.wakeSweep();
      return advance;
    },
  }),
];
