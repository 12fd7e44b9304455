import type { Context } from 'hono';
import { exceedsBytes } from '../base/codecs/fields/normalize-text.ts';
import { runInZone } from '../base/codecs/fields/zone.ts';
import type { Listing } from '../base/codecs/listing/options.ts';
import type { ErrorCode } from '../base/error-codes.ts';
import { answerTooLarge, HttpError, maxAnswerBytes, notFound } from '../base/errors.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { requestSource } from '../data/audit/audit-lines.ts';
import { openDatabase } from '../data/core/open-database.ts';
import { wakeNotices } from '../data/grants/app-notices.ts';
import { wake } from '../data/queues.ts';
import type { Operator } from './access/principal.ts';
import { withhold } from './access/restricted-fields.ts';
import type { AppEnv } from './app-env.ts';
import { errorBody } from './error-response.ts';
import { openCursor, sealCursors, type PageEnds } from './list-cursors.ts';
import type { Background, Operation } from './operation.ts';
import { requestZone } from './read-request.ts';

/** The request that an operation works on. `bytes` are those of the body, for cursors. */
export interface OperationRequest {
  query: unknown;
  body: unknown;
  bytes: Uint8Array;
}

/** A response before it is sent. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The body as the caller may see it; none of a refusal. */
  visible?: unknown;
  /** The record of that body, if the reply holds a single one. */
  record?: unknown;
  /**
   * When that record last changed, in epoch milliseconds, if it shows this; its own text is rounded
   * to a second.
   */
  updatedAt?: number | undefined;
}

/** Returns the context that an operation of operators passes to an action. */
const operatorAction = (c: Context<AppEnv>, { userId, name }: Operator): ActionContext => ({
  env: c.env,
  settings: c.get('settings'),
  directory: openDatabase(c.env.DIRECTORY),
  now: Date.now(),
  actor: { kind: 'operator', id: String(userId), name, userId },
  from: requestSource(c.req.raw),
  defer: (work) => c.executionCtx.waitUntil(work),
});

/** Runs an operation. Throws a 404 if the record of its path does not exist. */
export async function runOperationWork(
  c: Context<AppEnv>,
  { run, reply }: Operation,
  { query: sentQuery, body, bytes }: OperationRequest,
): Promise<unknown> {
  const admitted = c.get('admitted');
  const background = backgroundOf(c);
  const input = {
    ...admitted,
    action: admitted.operator && operatorAction(c, admitted.operator),
    ids: c.get('ids'),
    body,
    settings: c.get('settings'),
    background,
  };
  const query = reply.isPage ? await openCursor(c, sentQuery as Listing, bytes) : sentQuery;
  const result = await run({ ...input, query });
  if (result === undefined) throw notFound();
  return result;
}

/** Runs an operation and renders its reply, without the fields that the caller may not see. */
export async function produceAnswer(
  c: Context<AppEnv>,
  operation: Operation,
  request: OperationRequest,
): Promise<Answer> {
  const { method, reply } = operation;
  const { bytes } = request;
  const admitted = c.get('admitted');
  const result = await runOperationWork(c, operation, request);
  const links = reply.isPage ? await sealCursors(c, result as PageEnds, bytes) : undefined;
  const rendered = runInZone(requestZone(admitted), () => reply.render(result, c.req.url, links));
  const { refusal, headers } = rendered;
  const visible = withhold(rendered.body, reply.schema, admitted.principal);
  if (refusal !== undefined) return refuseWith(c, refusal, visible);
  const text = JSON.stringify(visible);
  // A change has been committed by now, and its response is one record.
  if (method === 'GET' && exceedsBytes(text, maxAnswerBytes)) throw answerTooLarge();
  const record = reply.single?.recordOf(visible);
  return {
    status: reply.status,
    headers,
    body: text,
    visible,
    record,
    updatedAt: updatedAtOf(record, result),
  };
}

const updatedAtOf = (record: unknown, row: unknown): number | undefined =>
  typeof record === 'object' && record !== null && 'updated_at' in record
    ? (row as { updated_at: number }).updated_at
    : undefined;

/** An error that also has the members of a list. */
function refuseWith(c: Context<AppEnv>, code: ErrorCode, list: unknown): Answer {
  const error = new HttpError(code);
  const body = JSON.stringify({ ...errorBody(error, c), ...(list as object) });
  return { status: error.status, headers: error.headers, body };
}

const backgroundOf = (c: Context<AppEnv>): Background => {
  const forShard = (ask: (shard: number) => Promise<void>) => () => {
    const { db } = c.get('admitted');
    if (db) c.executionCtx.waitUntil(ask(db.store.shard));
  };
  return {
    files: c.env.ARCHIVE,
    wakeTransfers: forShard((shard) => wake(c.env, 'transfers', { v: 1, shard })),
    wakeNotices: forShard((shard) => wakeNotices(c.env, shard)),
    wakeSweep: forShard((shard) => wake(c.env, 'sweep', { v: 1, shard, round: 0 })),
  };
};
