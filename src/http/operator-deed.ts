import type { Context } from 'hono';
import type { Operator } from '../access/principal.ts';
import { openDatabase } from '../db/core/open.ts';
import type { DeedContext } from '../people/deed.ts';
import type { AppEnv } from './app-env.ts';
import { requestSource } from './request-source.ts';

/** What an operation of operators passes to a deed. */
export const operatorDeed = (c: Context<AppEnv>, { userId, name }: Operator): DeedContext => ({
  env: c.env,
  settings: c.get('settings'),
  directory: openDatabase(c.env.DIRECTORY),
  now: Date.now(),
  actor: { kind: 'operator', id: String(userId), name, userId },
  from: requestSource(c.req.raw),
  defer: (work) => c.executionCtx.waitUntil(work),
});
