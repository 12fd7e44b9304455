import type { Groups, Method } from './groups.ts';
import type { CallOptions } from './public.ts';
import type { StoreClient } from './store-client.ts';

/** The groups of jobs, which get the method `wait`. */
export const jobGroups: readonly string[] = ['imports', 'exports'];

/** The states in which a job has ended. */
const endedStates: ReadonlySet<unknown> = new Set(['done', 'cancelled', 'failed']);

/** A job of the service, as far as waiting needs it. */
interface Job {
  state: string;
}

/** Options of `wait`. */
interface WaitOptions extends CallOptions {
  onProgress?: (job: unknown) => void;
}

const longestPauseMs = 5_000;

/**
 * Adds `wait(id)` to the groups of jobs: it asks until the job has ended, less often the longer it
 * takes.
 */
export function addJobs(groups: Groups, client: StoreClient): Groups {
  for (const name of jobGroups) {
    const group = groups[name];
    const show = group?.show;
    if (group && show)
      group.wait = (id, options) => waitFor(show, client, id, options as WaitOptions);
  }
  return groups;
}

async function waitFor(show: Method, client: StoreClient, id: unknown, options: WaitOptions = {}) {
  const { onProgress, ...rest } = options;
  for (let pause = 250; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const job = (await show(id, undefined, rest)) as Job;
    onProgress?.(job);
    if (endedStates.has(job.state)) return job;
    await client.transport.pause(pause, rest.signal);
  }
}
