import type { Settings } from '../../base/settings.ts';
import type { Database } from '../core/open-database.ts';
import type { AuditActor } from '../directory/audit-lines.ts';

/**
 * The context of every action: a change to users, members, stores, keys or apps of the directory. Pages, operations and
 * the command line call the same function.
 */
export interface ActionContext {
  env: Env;
  settings: Settings;
  directory: Database;
  /** Epoch milliseconds. */
  now: number;
  actor: AuditActor;
  /** Where the request came from. */
  from: RequestSource;
  /** Continues work after the response (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
}

/** Where a request came from, as the audit keeps it. */
interface RequestSource {
  /** ISO 3166-1 alpha-2; null if unknown. */
  country: string | null;
  /** A /24 of IPv4 or a /48 of IPv6, which names no device; null if unknown. */
  network: string | null;
}
