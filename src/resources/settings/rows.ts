import * as z from 'zod';
import { longestIdleMinutes } from '../../db/schema/carts.ts';
import {
  readingIdleMinutes,
  settingIdleMinutes,
  usualIdleMinutes,
} from '../../db/store-settings.ts';
import { lastOf } from '../../db/statement.ts';
import type { StoreDb } from '../../db/store.ts';
import { operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { int } from '../../wire/number.ts';
import { request } from '../../wire/request.ts';

/** What a store chooses for itself (sources 3). */
const StoreSettings = z
  .object({
    cart_idle_minutes: z.int().meta({
      description: 'After so many minutes without an edit a cart counts as abandoned.',
    }),
  })
  .meta({ id: 'StoreSettings' });

const SettingsChanges = request({
  optional: { cart_idle_minutes: [int(1, longestIdleMinutes), usualIdleMinutes] },
}).put;

/** Changes what is sent and answers with all settings. One round trip. */
async function settings(
  db: StoreDb,
  { cart_idle_minutes: minutes }: { cart_idle_minutes?: number },
) {
  const changes = minutes === undefined ? [] : [settingIdleMinutes(db, minutes)];
  const results = await db.batch([...changes, readingIdleMinutes(db)]);
  return lastOf(results).map((row) => ({ cart_idle_minutes: row.minutes }))[0];
}

export const settingsOperations = [
  operation({
    id: 'showSettings',
    route: 'GET /{alias}/config/settings',
    access: 'config.read',
    reply: data(200, StoreSettings),
    rejects: [],
    run: ({ db }) => settings(db, {}),
  }),
  operation({
    id: 'changeSettings',
    route: 'PUT /{alias}/config/settings',
    access: 'config.write',
    body: SettingsChanges,
    reply: data(200, StoreSettings),
    rejects: [422],
    note: 'cart_idle_minutes (1 to 43,200; 60 until it is set) counts for carts that are edited from then on; a longer time also for those that wait already.',
    run: ({ db, body }) => settings(db, body),
  }),
];
