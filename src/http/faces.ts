import type { Admitted } from '../access/admit.ts';

/** What a request carries from one step to the next. */
export interface Faces {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Id of the row that answers, for the log. */
    operation: string;
    admitted: Admitted;
    query: unknown;
    /** What was ignored, for the header X-Warning. */
    warnings: string[];
  };
}
