import type { Context } from 'hono';
import { wakeTransfers } from '../transfers/wake.ts';
import type { AppEnv } from './app-env.ts';

/** What operations need whose work goes on after their response. */
export interface Background {
  /** Files of imports and exports. Their keys name the store. */
  files: R2Bucket;
  /** Asks for a turn at the imports and exports of the store's shard. */
  wakeTransfers: () => void;
}

export const backgroundOf = (c: Context<AppEnv>): Background => ({
  files: c.env.ARCHIVE,
  wakeTransfers: () => {
    const { db } = c.get('admitted');
    if (db) c.executionCtx.waitUntil(wakeTransfers(c.env, db.store.shard));
  },
});
