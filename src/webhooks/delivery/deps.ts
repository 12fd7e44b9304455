import type { ReadableArchive } from '../archive/read-archive.ts';
import { defaultResolverDeps } from '../check-url.ts';
import type { SendError } from './outcome.ts';

/** The outside world of a delivery. Tests inject a receiver, a clock and random numbers. */
export interface DeliveryDeps {
  /** Epoch milliseconds. */
  now: () => number;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** At least 0, less than 1. */
  random: () => number;
  /**
   * Returns the error to record when the host must not be called now. Without it, only the text of
   * the URL counts.
   */
  checkHost?: (shard: number, url: string) => Promise<SendError | undefined>;
  /** Holds the bodies of older events. */
  archive?: ReadableArchive;
}

export const defaultDeliveryDeps: DeliveryDeps = {
  ...defaultResolverDeps,
  now: () => Date.now(),
  random: () => Math.random(),
};
