/** A running authorization server, as the race sees it. */
export interface Rival {
  name: string;
  tokenUrl: string;
  /** What a form needs besides its grant: who asks. */
  client: Record<string, string>;
  /** Consents for somebody: the form that redeems the new code. */
  approve: () => Promise<Record<string, string>>;
  stop: () => Promise<unknown>;
}
