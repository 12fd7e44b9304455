/** Counts of the receipts of all receivers. */
export interface ReceiptCounts {
  /** Distinct deliveries. */
  count: number;
  /** Receipts of a `webhook-id` that the receiver already had. */
  repeated: number;
  /** Time of the last new receipt, in epoch milliseconds. */
  lastAt: number;
}

/** The receipts of all receivers. */
export interface Receipts {
  /** Milliseconds from each change to its first receipt. */
  latencies: number[];
  /** `<event number> <receiver number>`. */
  pairs: string[];
}

const fetchJson = async (url: string) => (await fetch(url)).json();

/** Reads the counts since the last `resetReceipts`. */
export const fetchReceiptCounts = (receivers: string) =>
  fetchJson(`${receivers}/counts`) as Promise<ReceiptCounts>;
/** Reads all receipts since the last `resetReceipts`. */
export const fetchReceipts = (receivers: string) =>
  fetchJson(`${receivers}/receipts`) as Promise<Receipts>;

/** Deletes all receipts. */
export const resetReceipts = (receivers: string) =>
  fetch(`${receivers}/counts`, { method: 'DELETE' });
