import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { stores } from '../schema/directory/directory-tables.ts';
import { jobs } from '../schema/directory/operators-tables.ts';
import type { Job, JobKind } from './job.ts';

/** Finds a job of any kind. One round trip. */
export const findJob = async (directory: Database, id: number): Promise<Job | undefined> =>
  (await directory.select().from(jobs).where(eq(jobs.id, id)))[0];

/**
 * Finds a job of a store by its kind, so that none is found under the path of another. One round
 * trip.
 */
export async function findStoreJob(
  directory: Database,
  job: { id: number; kind: JobKind; storeId: number },
): Promise<Job | undefined> {
  const query = directory
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, job.id), eq(jobs.kind, job.kind), eq(jobs.store_id, job.storeId)));
  return (await query)[0];
}

/** Lists the last jobs of a store, of one kind if it is given, newest first. One round trip. */
export const listStoreJobs = async (
  directory: Database,
  { kind, storeId }: { kind?: JobKind; storeId: number },
  limit = 5,
): Promise<Job[]> =>
  directory
    .select()
    .from(jobs)
    .where(and(eq(jobs.store_id, storeId), kind === undefined ? undefined : eq(jobs.kind, kind)))
    .orderBy(desc(jobs.id))
    .limit(limit);

/**
 * Lists the stores whose erasure waits for a second operator, the newest first. One round trip; the
 * index of due jobs finds them.
 */
export const listUnconfirmedErasures = async (directory: Database, now: number, limit = 20) =>
  directory
    .select({ id: stores.id, name: stores.name, alias: stores.alias, lapsesAt: jobs.due_at })
    .from(jobs)
    .innerJoin(stores, eq(stores.id, jobs.store_id))
    .where(
      and(
        isNull(jobs.finished_at),
        gt(jobs.due_at, now),
        eq(jobs.kind, 'immediate_erasure'),
        isNull(jobs.confirmed_at),
      ),
    )
    .orderBy(desc(jobs.due_at))
    .limit(limit);
