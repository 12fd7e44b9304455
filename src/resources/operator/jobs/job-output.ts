import * as z from 'zod';
import { isExportKept } from '../../../jobs/export/kept.ts';
import type { Job } from '../../../jobs/job.ts';
import type { DeedContext } from '../../../people/deed.ts';
import type { JobSchema } from '../../../schemas/operator/job.ts';

const Counts = z.object({ counts: z.record(z.string(), z.int()) });

/** What operators see of a job. */
export function toJobOutput(
  { settings, now }: Pick<DeedContext, 'settings' | 'now'>,
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
    created_at,
    finished_at,
    result: result ? { url, counts: result.counts } : null,
    error,
  };
}
