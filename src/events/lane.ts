import type { Health } from './lane-health.ts';
import type { SigningKey } from './signing-keys.ts';
import type { SigningSecrets } from './signing-secrets.ts';

/** An open delivery as it was when its lane was leased. */
export interface Delivery {
  seq: number;
  eventId: string;
  /** `null` when the event's row is gone, and with it what could be sent. */
  content: { event: string; body: string; triggeredAt: number } | null;
  /** Tries so far. */
  attempts: number;
  /** Those of them that failed for a reason of the delivery's own. */
  refusals: number;
  /** 0 unless it has a schedule of its own; epoch milliseconds. */
  dueAt: number;
  /** Sent again on demand, and not because of an event that just happened. */
  isReplay: boolean;
}

/** An endpoint's mailbox as one consumer has it: the one that holds its lease, or one that came to help. */
export interface Lane {
  readonly shard: number;
  readonly id: number;
  /** The lease's number: a later lease has another one, and then this one may not release. */
  readonly generation: number;
  /** 0 is who took the lease, those who came to help count from 1. */
  readonly worker: number;
  /** No send starts after this, epoch milliseconds. */
  readonly until: number;
  readonly url: string;
  readonly apiVersion: string;
  readonly epoch: number;
  /** As they were at the lease; `undefined` when one could not be unsealed: then nothing can be sent. */
  readonly secrets: SigningSecrets<SigningKey> | undefined;
  readonly ordered: boolean;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** Due deliveries in the order they are sent; what is taken later comes behind. */
  readonly deliveries: Delivery[];
  /** What seems to fail by itself should the delivery that is sent in its place arrive. */
  readonly suspect: Delivery | null;
  /** There is more than one consumer sends quickly, and its receiver may get more at once: others are called to help. */
  isShareable: boolean;
  /** What nobody has taken yet may be taken under this lease. */
  mayTakeMore: boolean;
  isTaking: boolean;
  /** When others were called to help, epoch milliseconds. */
  calledAt: number;
  health: Health;
  /** Index of the delivery that is sent next. */
  next: number;
  /** What `next` was when the endpoint was last known to be active; a little later nothing begins before it is again. */
  seenAt: number;
  inFlight: number;
  /** Something has arrived during this drain: one that hangs gets no more than it must. */
  hasArrived: boolean;
  isReleased: boolean;
  /** A flush found that its endpoint is active no longer: nothing more is sent. */
  isStopped: boolean;
}

/** Whether the lane could start another send now. */
export function hasWork(lane: Lane): boolean {
  return !lane.isStopped && lane.next < lane.deliveries.length && lane.health.backoffUntil === null;
}
