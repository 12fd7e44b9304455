import type { SentQuery } from '../base/codecs/sent-query.ts';
import type { Settings } from '../base/settings.ts';
import type { Admitted } from './access/admit.ts';
import type { LoggedCaller } from './access/log-request.ts';
import type { Principal } from './access/principal.ts';
import type { AssistantCall } from './access/resource.ts';

/**
 * Hono's environment type: bindings, and the values that earlier middleware of a request sets for
 * later ones.
 */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Headers that the app adds to each of its responses. */
    appHeaders: Readonly<Record<string, string>>;
    /** The response was made with the headers of every response. */
    isComplete: true;
    /** An assistant asks the server for assistants itself. */
    assistantCall: AssistantCall;
    /** A request to this service that it made logged it. */
    isLogged: true;
    settings: Settings;
    /** Id of the operation, for the log. */
    operation: string;
    /** The rows that the operation should read at most (`authenticate.ts`). */
    rowBudget: number;
    /** The header `RateLimit-Policy` of the operation. */
    rateLimitPolicy: string;
    admitted: Admitted;
    /** Who called, also where the caller is not admitted. */
    caller: LoggedCaller & { principal: Principal };
    /** Names of declared parameters and fields that the request sent, for the log of requests. */
    sent: string[];
    /** Replaces `admitted` after a `StoreElsewhere`: asks the directory where the store is now. */
    admitAgain: () => Promise<void>;
    /** The ids of the path. */
    ids: Record<string, number | string>;
    /** The decoded query, once it is read (`sentQuery`). */
    sentQuery: SentQuery;
    query: unknown;
    /** The former alias in the address of the request, and what its store is called now. */
    renamed: { from: string; to: string };
    /** Values of the header `X-Warning`: the ignored fields and query parameters. */
    warnings: string[];
  };
}
