import type { StoredObjects } from '../../fakes/memory-archive.ts';
import type { WebhookArrival } from '../invariants.ts';

/** A message that waits in a queue. */
export interface QueuedMessage {
  queue: string;
  body: unknown;
  /** Not delivered before this time, epoch milliseconds. */
  at: number;
  attempts: number;
}

/**
 * How a receiver responds. `picky` rejects the payload of every fifth event, `poisoned` fails on
 * it.
 */
export type ReceiverBehaviour =
  | 'well'
  | 'failing'
  | 'hanging'
  | 'flaky'
  | 'busy'
  | 'gone'
  | 'picky'
  | 'poisoned';

export interface SimulatedEndpoint {
  id: number;
  secret: string;
  behaviour: ReceiverBehaviour;
}

/** The surroundings of an invocation: a database, queues, receivers and a clock. */
export interface SimulationState {
  now: number;
  readonly db: D1Database;
  readonly random: () => number;
  readonly messages: QueuedMessage[];
  readonly arrivals: WebhookArrival[];
  readonly endpoints: SimulatedEndpoint[];
  /** The archive. */
  readonly objects: StoredObjects;
  /** Called before and after the effect of a failpoint, while its process waits. */
  duringFailpoint: ((failpoint: string, side: 'before' | 'after') => Promise<void>) | undefined;
  /** Called for invitations that are accepted at once. */
  onJoinRequest: ((request: QueuedMessage) => void) | undefined;
}
