import * as z from 'zod';
import { int } from '../../base/codecs/fields/scalars.ts';
import { explain, explainBody } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { advanceClock, maxAdvanceSeconds } from '../../data/queries/test-clock.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';

const TestClockSchema = z
  .object({
    advanced_seconds: z.int(),
    carts: z.int(),
    transactions: z.int(),
    webhooks: z.int(),
  })
  .meta({ id: 'TestClock' });

/* @__PURE__ */ explain(TestClockSchema, 'What an advance of the test clock brought forward.', {
  advanced_seconds: 'How far it went in this call.',
  carts: 'Carts that wait for a reminder or for their end.',
  transactions: 'Transactions that wait for a capture or for a payment.',
  webhooks: 'Webhooks that wait for their next attempt.',
});

/** The body of POST clock. */
const ClockRequest = requestBodies({
  required: {
    advance_seconds: int(1, maxAdvanceSeconds).describe(
      'How far to advance the clock: 3600 for an hour, 86400 for a day.',
    ),
  },
}).post;

/* @__PURE__ */ explainBody(ClockRequest, {
  AdvanceTestClockInput: 'How far the clock of a test store jumps.',
});

export const testStoreOperations = [
  operation({
    id: 'advanceTestClock',
    route: 'POST /{alias}/test/clock',
    access: 'config.write',
    body: ClockRequest,
    reply: data(200, TestClockSchema),
    errors: [409, 422],
    weight: 5,
    run: async ({ db, body, background }) => {
      const advance = await advanceClock(db, body.advance_seconds);
      background.wakeSweep();
      return advance;
    },
  }),
];

/* @__PURE__ */ explainOperations({
  advanceTestClock:
    'Only in test stores; other stores return 403. Idle carts, captures, deadlines of payments and retries of webhooks are brought forward at once, and what became due happens within seconds. Times that records show stay real, except abandoned_at of a cart. What was due twice in the time happens once, so advance in steps to see each. The clock of a store is advanced once in 10 seconds: else 429 with Retry-After. If more than 500 carts, transactions, deliveries and webhooks wait for a time, 409 (test_store_full), and nothing is brought forward.',
});
