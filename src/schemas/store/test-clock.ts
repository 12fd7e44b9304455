import * as z from 'zod';
import { explain } from '../../codecs/meaning.ts';

export const TestClockSchema = z
  .object({
    advanced_seconds: z.int(),
    carts: z.int(),
    transactions: z.int(),
    webhooks: z.int(),
  })
  .meta({ id: 'TestClock' });

/* @__PURE__ */ explain(TestClockSchema, 'What an advance of the test clock brought forward.', {
  advanced_seconds: 'The seconds that the clock was advanced by.',
  carts: 'Carts that wait for a reminder or for their end.',
  transactions: 'Transactions that wait for a capture or for a payment.',
  webhooks: 'Webhooks that wait for their next attempt.',
});
