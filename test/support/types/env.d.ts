import type { D1Migration } from '@cloudflare/vitest-pool-workers';

declare global {
  namespace Cloudflare {
    interface Env {
      SPARE_0: D1Database;
      SPARE_1: D1Database;
      COPIED_0: D1Database;
      COPIED_1: D1Database;
      COPIED_2: D1Database;
      CHANGED: D1Database;
      QUIET: D1Database;
      EMPTY_DIRECTORY: D1Database;
      QUIET_DIRECTORY: D1Database;
      DIRECTORY_MIGRATIONS: D1Migration[];
      STORE_MIGRATIONS: D1Migration[];
    }
  }
}
