import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';

/** The last release, and how far it got. */
const releaseSchema = z.object({
  /** Digest of sources, configuration and secrets: another one is another release. */
  fingerprint: z.string(),
  version: z.string(),
  /** The version that had the traffic before. */
  previous: z.string().optional(),
  isReady: z.boolean().default(false),
  isLive: z.boolean().default(false),
  hasTriggers: z.boolean().default(false),
});

/** How far the restore of one store is (`restore-one.ts`). */
const restoreSchema = z.object({
  storeId: z.number(),
  at: z.number(),
  shard: z.number(),
  /** The bookmark of that time. */
  past: z.string(),
  /** The bookmark to which the shard comes back, and what it had counted by then. With them, it may be in the past. */
  present: z.string().optional(),
  facts: z.string().optional(),
  /** The name of the copy; empty if the store was not in the shard. */
  copy: z.string().optional(),
  /** A time just after its end, by which an import finds it. */
  copiedBy: z.string().optional(),
  isForward: z.boolean().optional(),
});

export type RestoreState = z.output<typeof restoreSchema>;

const stateSchema = z.object({
  account_id: z.string().optional(),
  /** The host that was found free or ours. */
  host: z.string().optional(),
  databases: z
    .record(
      z.string(),
      z.object({
        id: z.string(),
        location: z.string(),
        jurisdiction: z.string().optional(),
        /** The last migration that it is known to have. */
        migration: z.string().optional(),
      }),
    )
    .default({}),
  namespaces: z.record(z.string(), z.string()).default({}),
  queues: z.array(z.string()).default([]),
  /** Buckets, each with the days after which it deletes objects. */
  buckets: z.record(z.string(), z.number()).default({}),
  /** Whether host, cron and queue consumers lead to the Worker. */
  isHosted: z.boolean().default(false),
  /** Shards that get new stores. */
  open_shards: z.array(z.number()).default([]),
  release: releaseSchema.optional(),
  restore: restoreSchema.optional(),
  /** Digest of the Worker that watches, as it was deployed last. */
  watch: z.string().optional(),
});

export type State = z.output<typeof stateSchema>;

/**
 * The steps that are known to be done. It saves calls and lets an interrupted run continue; without the file,
 * everything is found again by name.
 */
export class StateFile {
  readonly path: string;
  readonly state: State;

  constructor(path: string) {
    this.path = path;
    this.state = stateSchema.parse(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
  }

  /** Changes the state and stores it, before the next step begins. */
  update(change: (state: State) => void) {
    change(this.state);
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(`${this.path}.new`, `${JSON.stringify(this.state, null, 2)}\n`);
    renameSync(`${this.path}.new`, this.path);
  }
}
