import { dayMs } from '../../base/durations.ts';
import type { Job } from '../../data/directory/job.ts';

/** How long the file of an export is kept after its end. */
export const exportKeptMs = 7 * dayMs;

/** Whether the file of an export can be downloaded. */
export const isExportKept = ({ kind, state, finished_at: at }: Job, now: number) =>
  kind === 'store_export' && state === 'done' && at !== null && now < at + exportKeptMs;

/** The time to delete the files of a job that ends now; null if it has none. */
export const filesGoAt = (kind: Job['kind'], state: 'done' | 'failed' | 'cancelled', now: number) =>
  kind !== 'store_export' ? null : state === 'done' ? now + exportKeptMs : now;

/** The beginning of the keys of all exports of a store. */
export const filesOfExports = (storeId: number) => `store-exports/${storeId}/`;

/** The beginning of the keys of one export, with a random part; `undefined` before it has begun. */
export function exportPrefix({ store_id: storeId, progress }: Pick<Job, 'store_id' | 'progress'>) {
  const { file } = progress;
  return storeId === null || typeof file !== 'string'
    ? undefined
    : `${filesOfExports(storeId)}${file}/`;
}
