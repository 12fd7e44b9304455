import type { SQL } from 'drizzle-orm';
import type { Statement } from '../core/statement.ts';
import type { jobs } from '../schema/directory/operators-tables.ts';

/** A job as it is stored. */
export type Job = typeof jobs.$inferSelect;

export type JobKind = Job['kind'];

/** The result of a finished job. */
interface JobResult {
  /** How many records of each kind were exported, erased or removed, or stores moved. */
  counts: Readonly<Record<string, number>>;
}

/** The work that a job is requested for. */
export type JobRequest =
  | { kind: 'store_export'; storeId: number; reason?: string }
  /** `dueAt`: when to begin (epoch milliseconds). */
  | { kind: 'store_erasure'; storeId: number; reason: string; dueAt: number }
  /** `dueAt`: the end of the time to confirm it. */
  | { kind: 'immediate_erasure'; storeId: number; reason: string; dueAt: number }
  | { kind: 'store_move'; storeId: number; toShard: number; reason?: string }
  | { kind: 'shard_drain'; shard: number; reason: string }
  /**
   * Brings a store back from one of its copies. Its shard may be lost, so the one that takes it
   * does the work.
   */
  | { kind: 'store_restore'; storeId: number; toShard: number; copyId: number; reason: string }
  /** `dueAt`: the end of the time to object. */
  | { kind: 'second_factor_removal'; userId: number; reason: string; dueAt: number }
  /** Empties a test store and fills it with the test catalogue. */
  | { kind: 'test_store_fill'; storeId: number; reason?: string };

/** A job in work: the values that a step may change are kept by `save`. */
export interface JobRun {
  env: Env;
  job: Job;
  /** Epoch milliseconds. */
  now: () => number;
  /** Whether time for another step remains. */
  hasTime: () => boolean;
  /**
   * Keeps how far the job is. Throws {@link JobLost} if another run, or a cancellation, was first.
   */
  save: (progress: JobProgress) => Promise<void>;
}

/** How far a job is. */
export interface JobProgress {
  done?: number;
  total?: number;
  /** Replaces the data of the kind. */
  progress?: Record<string, unknown>;
}

/** How a step of a job ended. */
export type JobOutcome =
  /** Go on at this time. `isIdle`: nothing has begun yet. */
  | { state: 'waits'; dueAt: number; isIdle?: true }
  /**
   * `notify` creates statements for the batch that ends the job, under the condition that this run
   * ends it; then `afterwards`.
   */
  | {
      state: 'done';
      result: JobResult;
      notify?: (where: SQL) => Statement[];
      afterwards?: () => Promise<void>;
    }
  | { state: 'failed'; error: string }
  /** It is not wanted any more, so it needs no look into it. */
  | { state: 'cancelled'; error: string };

/** Another run has the job, or it was cancelled: this run stops. */
export class JobLost extends Error {}
