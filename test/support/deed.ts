import { env } from 'cloudflare:workers';
import { openDatabase } from '../../src/db/core/open.ts';
import type { DeedContext } from '../../src/people/deed.ts';
import { settingsOf } from '../../src/settings.ts';

/** The context of a deed of a user at a time (epoch milliseconds). What is deferred is dropped. */
export const deedOf = (userId: number, now = Date.now()): DeedContext => ({
  env,
  settings: settingsOf(env),
  directory: openDatabase(env.DIRECTORY),
  now,
  actor: { kind: 'user', id: String(userId), name: 'Ana', userId },
  from: { country: null, network: null },
  defer: () => undefined,
});
