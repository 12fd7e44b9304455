import { env } from 'cloudflare:workers';
import { settingsOf } from '../../src/base/settings.ts';
import type { ActionContext } from '../../src/data/audit/action.ts';
import { openDatabase } from '../../src/data/core/open-database.ts';

/** The context of an action of a user at a time (epoch milliseconds). Deferred work is dropped. */
export const actionOf = (userId: number, now = Date.now()): ActionContext => ({
  env,
  settings: settingsOf(env),
  directory: openDatabase(env.DIRECTORY),
  now,
  actor: { kind: 'user', id: String(userId), name: 'Ana', userId },
  from: { country: null, network: null },
  defer: () => undefined,
});
