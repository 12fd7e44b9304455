import * as z from 'zod';
import type { ActionContext } from '../../data/audit/action.ts';
import type { Job } from '../../data/directory/job.ts';
import { isExportKept } from '../../platform/jobs/export/kept.ts';
import type { JobSchema } from './job-schema.ts';

const Counts = z.object({ counts: z.record(z.string(), z.int()) });

/** Converts a job to the form that operators see. */
export function toJobOutput(
  { settings, now }: Pick<ActionContext, 'settings' | 'now'>,
  job: Job,
): z.input<typeof JobSchema> {
  const { id, state, done, total, created_at, finished_at, error, store_id: storeId } = job;
  const result = Counts.safeParse(job.result).data;
  // Operators see no other kind.
  const kind = job.kind as z.input<typeof JobSchema>['kind'];
  const url = isExportKept(job, now)
    ? `${settings.linkOrigin}/v2/operator/stores/${storeId}/exports/${id}/file`
    : null;
  return {
    id,
    kind,
    state,
    done,
    total,
    due_at: finished_at === null ? job.due_at : null,
    requested_by: job.requested_by || null,
    confirmed_by: job.confirmed_by,
    confirmed_at: job.confirmed_at,
    created_at,
    finished_at,
    result: result ? { url, counts: result.counts } : null,
    error,
  };
}
