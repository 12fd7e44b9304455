import type { Shard } from '../db/open.ts';
import { customers } from '../db/schema/store.ts';
import type { Store } from '../db/store.ts';
import { createCustomer } from '../resources/customers/creating.ts';
import { NewCustomer } from '../resources/customers/requests.ts';
import { complete } from './complete.ts';
import type { DemoCustomer } from './customers.ts';
import { day, handle } from './handle.ts';

/** Adds those customers that a store does not have. */
export const welcome = (store: Store, shard: Shard, wanted: readonly DemoCustomer[], now: number) =>
  complete(
    handle(store, shard, now),
    { table: customers, column: customers.email, wanted, keyOf: ({ email }) => email },
    ({ daysAgo, ...one }) =>
      createCustomer(handle(store, shard, now - daysAgo * day), NewCustomer.parse(one)),
  );
