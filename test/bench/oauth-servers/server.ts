/** A running authorization server that the benchmark measures. */
export interface AuthorizationServer {
  name: string;
  tokenUrl: string;
  /** The fields of a form that identify the client. */
  client: Record<string, string>;
  /** Approves a request; returns the form that redeems its code. */
  approve: () => Promise<Record<string, string>>;
  stop: () => Promise<unknown>;
}
