import type { Context } from 'hono';
import { wake } from '../data/queues/wake.ts';
import type { AppEnv } from './app-env.ts';

/** The bindings of operations whose work continues after their response. */
export interface Background {
  /** Files of imports and exports. Their keys name the store. */
  files: R2Bucket;
  /** Asks for a step of the imports and exports of the store's shard. */
  wakeTransfers: () => void;
  /** Asks for a sweep of the store's shard now. */
  wakeSweep: () => void;
}

export const backgroundOf = (c: Context<AppEnv>): Background => {
  const forShard = (ask: (shard: number) => Promise<void>) => () => {
    const { db } = c.get('admitted');
    if (db) c.executionCtx.waitUntil(ask(db.store.shard));
  };
  return {
    files: c.env.ARCHIVE,
    wakeTransfers: forShard((shard) => wake(c.env, 'transfers', { v: 1, shard })),
    wakeSweep: forShard((shard) => wake(c.env, 'sweep', { v: 1, shard, round: 0 })),
  };
};
