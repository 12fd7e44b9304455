import type { Admitted } from '../access/admit.ts';
import type { Settings } from '../settings.ts';

/** Hono's environment type: bindings, and what earlier middleware of a request leaves for later ones. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    settings: Settings;
    /** Id of the operation, for the log. */
    operation: string;
    /** The rows that the operation should read at most (`row-budget.ts`). */
    rowBudget: number;
    /** The header `RateLimit-Policy` of the operation. */
    rateLimitPolicy: string;
    admitted: Admitted;
    /** Replaces `admitted` after a `StoreElsewhere`: asks the directory where the store is now. */
    admitAgain: () => Promise<void>;
    /** The ids of the path. */
    ids: Record<string, number | string>;
    query: unknown;
    /** Values of the header `X-Warning`: the ignored fields and query parameters. */
    warnings: string[];
  };
}
