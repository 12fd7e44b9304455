import type { D1Migration } from '@cloudflare/vitest-pool-workers';

declare global {
  namespace Cloudflare {
    interface Env {
      STORE_1: D1Database;
      DIRECTORY_MIGRATIONS: D1Migration[];
      STORE_MIGRATIONS: D1Migration[];
    }
  }
}
