import type { SentQuery } from '../base/codecs/sent-query.ts';
import type { Settings } from '../base/settings.ts';
import type { LoggedCaller } from './access/log-request.ts';
import type { Admitted, AssistantCall, Principal } from './access/principal.ts';

/**
 * Hono's environment type: bindings, and the values that earlier middleware of a request sets for
 * later ones.
 */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** The headers of every response that has no others of these names. */
    defaultHeaders: Record<string, string>;
    /** The response was made with the headers of every response. */
    isComplete: true;
    /** How an assistant made the request; `undefined` for one of another caller. */
    assistantCall: AssistantCall | undefined;
    /** A request to this service that it made logged it. */
    isLogged: true;
    settings: Settings;
    /** Id of the operation, for the log. */
    operation: string;
    /** The rows that the operation should read at most (`access/admit.ts`). */
    rowBudget: number;
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
