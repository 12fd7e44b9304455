/** How much the receivers took. */
export interface Seen {
  /** Different deliveries. */
  count: number;
  /** Receipts of a `webhook-id` that the receiver had before. */
  repeated: number;
  /** When the last new one came, in epoch milliseconds. */
  lastAt: number;
}

/** What the receivers took. */
export interface Receipts {
  /** Milliseconds from each change to its first receipt. */
  waits: number[];
  /** `<number of the event> <number of the receiver>`. */
  pairs: string[];
}

const answer = async (url: string) => (await fetch(url)).json();

/** What came to the receivers at this address since {@link forget}. */
export const seenBy = (receivers: string) => answer(`${receivers}/seen`) as Promise<Seen>;
/** {@link seenBy} with each receipt. */
export const receiptsOf = (receivers: string) =>
  answer(`${receivers}/receipts`) as Promise<Receipts>;

/** Lets the receivers count from nothing. */
export const forget = (receivers: string) => fetch(`${receivers}/seen`, { method: 'DELETE' });
