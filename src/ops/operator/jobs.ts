import * as z from 'zod';
import { requestFactorRemoval } from '../../accounts/users/request-factor-removal.ts';
import { dateTimeInput } from '../../base/codecs/fields/date-time.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { int } from '../../base/codecs/fields/scalars.ts';
import { explainBody } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { conflict } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { findJob, findStoreJob } from '../../data/directory/job-queries.ts';
import type { Job } from '../../data/directory/job.ts';
import { requestJob } from '../../data/directory/request-job.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { accepted, data, tarFile } from '../../http/replies.ts';
import {
  confirmErasure,
  requestErasure,
  requestImmediateErasure,
} from '../../stores/erase-store.ts';
import { exportFile } from '../../stores/export/export-download.ts';
import { isExportKept } from '../../stores/export/kept-exports.ts';
import { purgeMove } from '../../stores/move/purge-move.ts';
import { requestMove } from '../../stores/move/start-move.ts';
import { requestRestore } from '../../stores/restore/request-restore.ts';
import { cancelJob } from '../jobs/cancel-job.ts';
import { JobSchema } from './job-schema.ts';
import { ErasureRequest, ReasonRequest, reason } from './requests.ts';

const Counts = z.object({ counts: z.record(z.string(), z.int()) });

/** Converts a job to the form that operators see. */
function toJobOutput(
  { settings, now }: Pick<ActionContext, 'settings' | 'now'>,
  job: Job,
): z.input<typeof JobSchema> {
  const result = Counts.safeParse(job.result).data;
  const url = isExportKept(job, now)
    ? `${settings.linkOrigin}/v2/operator/stores/${job.store_id}/exports/${job.id}/file`
    : null;
  return {
    ...job,
    due_at: job.finished_at === null ? job.due_at : null,
    requested_by: job.requested_by || null,
    result: result ? { url, counts: result.counts } : null,
  };
}

const shard = int(0, 99_999).describe('Number of the database that the store goes to.');

const MoveRequest = requestBodies({ required: { shard, reason } }).post;

/* @__PURE__ */ explainBody(MoveRequest, {
  MoveStoreInput: 'The database that takes the store; without one the service chooses.',
});

const before = orNull(dateTimeInput).describe(
  'Only a copy that was whole by then; null for the last.',
);

const ImportRequest = requestBodies({
  required: { shard, reason },
  optional: { before: [before, null] },
}).post;

/* @__PURE__ */ explainBody(ImportRequest, {
  ImportStoreInput:
    'The database that takes the store, and the time before which its copy was made.',
});

const show = async (action: ActionContext, found: Promise<Job | undefined> | Job | undefined) => {
  const job = await found;
  return job && toJobOutput(action, job);
};

const find = (
  action: ActionContext,
  kind: 'store_export' | 'store_move',
  { id, jobId }: { id: number; jobId: number },
) => findStoreJob(action.directory, { id: jobId, kind, storeId: id });

/** The job that an operation began, which is shown at one address for all kinds. */
const started = accepted(JobSchema, '/v2/operator/jobs');

/** Work on stores, shards and users that takes long or waits. */
export const jobOperations = [
  operation({
    id: 'exportStore',
    route: 'POST /operator/stores/{id}/exports',
    access: 'operator',
    body: ReasonRequest,
    reply: started,
    errors: [404, 409, 422],
    run: async ({ action, ids, body }) =>
      show(action, await requestJob(action, { kind: 'store_export', storeId: ids.id, ...body })),
  }),
  operation({
    id: 'downloadStoreExport',
    route: 'GET /operator/stores/{id}/exports/{jobId}/file',
    access: 'operator',
    reply: tarFile(),
    errors: [404, 409],
    run: async ({ action, ids, background }) => {
      const job = await find(action, 'store_export', ids);
      if (!job) return undefined;
      const file = exportFile(background.files, job, action.now);
      if (!file) throw conflict('export_not_ready');
      return file.stream;
    },
  }),
  operation({
    id: 'moveStore',
    route: 'POST /operator/stores/{id}/moves',
    access: 'operator',
    body: MoveRequest,
    reply: started,
    errors: [404, 409, 422],
    run: async ({ action, ids, body: { shard: toShard, reason } }) =>
      show(
        action,
        await requestMove(action, {
          kind: 'store_move',
          storeId: ids.id,
          toShard,
          reason,
        }),
      ),
  }),
  operation({
    id: 'purgeStoreMove',
    route: 'POST /operator/stores/{id}/moves/{jobId}/purge',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: data(200, JobSchema),
    errors: [404, 409, 422],
    run: async ({ action, ids, body }) => {
      const job = await find(action, 'store_move', ids);
      return job && toJobOutput(action, await purgeMove(action, job, body.reason));
    },
  }),
  operation({
    id: 'restoreStore',
    route: 'POST /operator/stores/{id}/restores',
    access: 'operator',
    isDangerous: true,
    body: ImportRequest,
    reply: started,
    errors: [404, 409, 422],
    run: async ({ action, ids, body: { shard: toShard, before, reason } }) =>
      show(action, await requestRestore(action, { storeId: ids.id, toShard, before, reason })),
  }),
  operation({
    id: 'eraseStore',
    route: 'POST /operator/stores/{id}/erasures',
    access: 'operator',
    isDangerous: true,
    body: ErasureRequest,
    reply: started,
    errors: [404, 409, 422],
    run: async ({ action, ids, body: { immediately, reason: why } }) => {
      const ask = immediately ? requestImmediateErasure : requestErasure;
      return show(action, await ask(action, { storeId: ids.id, reason: why }));
    },
  }),
  operation({
    id: 'confirmStoreErasure',
    route: 'POST /operator/stores/{id}/erasures/{jobId}/confirm',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: data(200, JobSchema),
    errors: [404, 409, 422],
    run: async ({ action, ids, body }) =>
      show(action, await confirmErasure(action, { storeId: ids.id, jobId: ids.jobId, ...body })),
  }),
  operation({
    id: 'removeSecondFactor',
    route: 'POST /operator/users/{id}/second-factor/removals',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: started,
    errors: [404, 409, 422],
    run: async ({ action, ids, body }) =>
      show(action, await requestFactorRemoval(action, { userId: ids.id, ...body })),
  }),
  operation({
    id: 'drainShard',
    route: 'POST /operator/shards/{number}/drains',
    access: 'operator',
    isDangerous: true,
    body: ReasonRequest,
    reply: started,
    errors: [404, 422],
    run: async ({ action, ids, body }) =>
      show(
        action,
        await requestJob(action, {
          kind: 'shard_drain',
          shard: ids.number,
          reason: body.reason,
        }),
      ),
  }),
  operation({
    id: 'showJob',
    route: 'GET /operator/jobs/{id}',
    access: 'operator',
    reply: data(200, JobSchema),
    errors: [404],
    run: ({ action, ids }) => show(action, findJob(action.directory, ids.id)),
  }),
  operation({
    id: 'cancelJob',
    route: 'POST /operator/jobs/{id}/cancel',
    access: 'operator',
    reply: data(200, JobSchema),
    errors: [404, 409],
    run: async ({ action, ids }) => {
      const job = await findJob(action.directory, ids.id);
      return show(action, job && cancelJob(action, job));
    },
  }),
];

/* @__PURE__ */ explainOperations({
  exportStore:
    'Writes all that the store has into files of NDJSON, one for each kind of record, without secrets. The owner gets a mail when it is done. While a job of this kind goes on for the store, that one is returned.',
  restoreStore:
    'For a store whose database is lost, or whose data are. What changed after the copy is lost, webhooks announce it by a later epoch, and the result counts rows that fitted no more. The old data stay for 30 days where they are.',
  downloadStoreExport:
    'Sends a tar archive with manifest.json and one file of NDJSON for each kind of record. 409 (export_not_ready) until the job is done, and a week after that.',
  moveStore:
    'Takes the store with all its data to another database. Its changes are refused (503) for some seconds, or minutes if it is large. 409 (job_under_way) while it moves to another place. The job counts five steps.',
  purgeStoreMove:
    'Deletes what the store left in its old database, which else stays for 30 days: for a database that is full. It begins at once and takes minutes for a large store. The store itself does not change. 409 (move_not_done) until the move is done. Where nothing is left, the job is returned and nothing changes.',
  eraseStore:
    'Deletes all data of the store for ever: records, events, files, connections of apps, and names in the audit. The alias is free afterwards, and the counts of the job are the certificate. The store must have been closed for 30 days (409 closed_too_recently); then it begins within minutes. With immediately, any store is erased: another operator confirms it within seven days, the store is closed then if it is not, and 24 hours later it begins. Until then any operator can cancel it. Who asks has been an operator for seven days (409 second_operator_needed). All members and operators get a mail when it is asked for and when it is confirmed, which says whom to tell. While a job of the same sort waits, that one is returned. 409 (store_erased) if that was done before.',
  confirmStoreErasure:
    'For an erasure that was asked for with immediately, by another operator than the one who asked. Both have been ones for seven days, neither made the other one, and no third one made both, over any number of steps; the first operator, whom no one made, may have made both (409 second_operator_needed). The store is closed at once if it is not, all members and operators get a mail, and the data are deleted 24 hours later. 409 (nothing_to_confirm) for a request that was cancelled, is older than seven days, or whose operator is none any more. A confirmed one stays as it is. 404 for other erasures.',
  removeSecondFactor:
    'For a user who has lost the phone and the recovery codes. The user gets a mail at once, with the reason and a link that objects, once. Without an objection the factor and its codes are removed after 24 hours, and all sessions of the user end. A factor that the user sets up meanwhile stays. While a removal waits, its job is returned. 409 (no_second_factor) for a user without one, 409 (user_inactive) for one who is locked out, 409 (user_is_operator) for an operator, who is unmade first.',
  drainShard:
    'Closes the database to new stores, and moves all its stores to others, two at a time. A store whose moves fail three times stays; then the job fails and names it. While a job goes on for the database, that one is returned.',
  showJob:
    'Of any kind: also the filling of a test store, the nightly copies and the long changes of a database. The removal of two-step sign-in is cancelled if the user objected.',
  cancelJob:
    'By any operator. What an export wrote is deleted. A store that moves or comes back stays where it is, and is served as before at once. One that was to be erased stays closed until it is reopened; an erasure that was not confirmed changes nothing. Two-step sign-in stays on. Of a database that is emptied no further store begins to move; those on their way arrive, and it stays closed to new stores. A job that has ended stays as it is, and is returned. 409 (job_irrevocable) once data are being deleted or the store leaves its old place, and for a job that no operator asks for: the filling of a test store, nightly copies, long changes.',
});
