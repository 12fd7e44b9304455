import * as z from 'zod';
import { int } from '../base/codecs/fields/scalars.ts';
import { explain, explainChanges } from '../base/codecs/meaning.ts';
import { requestBodies } from '../base/codecs/request-bodies.ts';
import { lastResult } from '../data/core/statement.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import { maxCartIdleMinutes } from '../data/schema/store/settings-tables.ts';
import { explainOperations, operation } from '../http/operation.ts';
import { data } from '../http/replies.ts';
import {
  selectCartIdleMinutes,
  changeCartIdleMinutes,
  defaultCartIdleMinutes,
} from '../sales/carts/cart-settings-queries.ts';

/** The settings of a store. */
const StoreSettingsSchema = z
  .object({
    cart_idle_minutes: z.int(),
  })
  .meta({ id: 'StoreSettings' });

/* @__PURE__ */ explain(
  StoreSettingsSchema,
  'Settings of a store that change how the service works for it.',
  {
    cart_idle_minutes:
      'Minutes without an edit after which a cart counts as abandoned and cart.reminder is sent.',
  },
);

const SettingsChanges = requestBodies({
  optional: { cart_idle_minutes: [int(1, maxCartIdleMinutes), defaultCartIdleMinutes] },
}).put;

/* @__PURE__ */ explainChanges(SettingsChanges, StoreSettingsSchema, {
  SettingsPatch: 'How the store behaves from now on.',
});

/** Stores the settings that are sent, and returns all of them. One round trip. */
async function saveSettings(
  db: StoreDb,
  { cart_idle_minutes: minutes }: z.output<typeof SettingsChanges>,
) {
  const changes = minutes === undefined ? [] : changeCartIdleMinutes(db, minutes);
  const results = await db.batch([...changes, selectCartIdleMinutes(db)]);
  return lastResult(results).map((row) => ({ cart_idle_minutes: row.minutes }))[0];
}

export const settingsOperations = [
  operation({
    id: 'showSettings',
    route: 'GET /{alias}/config/settings',
    access: 'config.read',
    reply: data(200, StoreSettingsSchema),
    errors: [],
    run: ({ db }) => saveSettings(db, {}),
  }),
  operation({
    id: 'changeSettings',
    route: 'PUT /{alias}/config/settings',
    access: 'config.write',
    body: SettingsChanges,
    reply: data(200, StoreSettingsSchema),
    errors: [422],
    run: ({ db, body }) => saveSettings(db, body),
  }),
];

/* @__PURE__ */ explainOperations({
  changeSettings:
    'cart_idle_minutes (1 to 43,200, default 60) applies to carts that are edited from now on. A longer time also applies to carts that are already idle.',
});
