import type { Context } from 'hono';
import { wakeSweep } from '../sweep-wake.ts';
import { wakeTransfers } from '../transfers/wake.ts';
import type { AppEnv } from './app-env.ts';

/** What operations need whose work goes on after their response. */
export interface Background {
  /** Files of imports and exports. Their keys name the store. */
  files: R2Bucket;
  /** Asks for a turn at the imports and exports of the store's shard. */
  wakeTransfers: () => void;
  /** Asks for a sweep of the store's shard now. */
  wakeSweep: () => void;
}

export const backgroundOf = (c: Context<AppEnv>): Background => {
  const wake = (ask: (env: Env, shard: number) => Promise<void>) => {
    const { db } = c.get('admitted');
    if (db) c.executionCtx.waitUntil(ask(c.env, db.store.shard));
  };
  return {
    files: c.env.ARCHIVE,
    wakeTransfers: () => wake(wakeTransfers),
    wakeSweep: () => wake(wakeSweep),
  };
};
