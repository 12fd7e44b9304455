import * as z from 'zod';
import type { Job } from '../../data/directory/job.ts';

/** The position of an export, and its stored objects. */
const ExportProgress = z.object({
  /** The random part of the keys of its objects. */
  file: z.string(),
  /** The kind of records in work, and the key of the last record that was stored. */
  position: z.int(),
  cursor: z.array(z.union([z.string(), z.number(), z.null()])).optional(),
  /** The objects in their order: the kind of their records, the end of their key, and their size. */
  parts: z.array(z.tuple([z.int(), z.string(), z.int()])),
  /** The records of each kind so far. */
  counts: z.record(z.string(), z.int()),
});

export type ExportProgress = z.output<typeof ExportProgress>;

/** Returns how far an export is; `undefined` before it has begun. */
export const readExport = ({ progress }: Pick<Job, 'progress'>): ExportProgress | undefined =>
  ExportProgress.safeParse(progress).data;
