import { env } from 'cloudflare:workers';
import { openShard } from '../../src/db/open.ts';
import { StoreDb } from '../../src/db/store.ts';
import type { TestStore } from './store.ts';

/** The data of a test store, for tests that call what rows and timers call. */
export const dbOf = ({ id, alias }: TestStore, now = Date.now()) =>
  new StoreDb(
    {
      id,
      alias,
      shard: 0,
      zone: 'America/Sao_Paulo',
      base_url: `https://${alias}.shop.test`,
      active: true,
      test: true,
    },
    openShard(env.STORE_0),
    { now, wake: () => undefined },
  );
