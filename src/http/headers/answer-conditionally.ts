import type { Context } from 'hono';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import type { Listing } from '../../base/codecs/listing/options.ts';
import {
  HttpError,
  RecordChanged,
  serviceUnavailable,
  ValidationError,
} from '../../base/errors.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { AppEnv } from '../app-env.ts';
import { repliesAsShown, showsRecord, type Operation } from '../operation.ts';
import { produceAnswer, type Answer, type OperationRequest } from '../produce-answer.ts';
import { requestZone } from '../read-request.ts';
import { visibleIncludes } from '../restricted-fields.ts';
import {
  entityTag,
  includesOf,
  isMatch,
  isNamed,
  parseTagCondition,
  type TagCondition,
} from './entity-tags.ts';

/** The preconditions of a request on its record (RFC 9110, section 13). */
interface Preconditions {
  ifMatch: TagCondition | undefined;
  ifNoneMatch: TagCondition | undefined;
}

/**
 * A digest of the whole response is a tag only as long as no proxy rewrites it: one that compresses would make it weak,
 * and no weak tag matches `If-Match`.
 */
const taggedHeaders = (tag: string) => ({
  ETag: tag,
  'Cache-Control': 'private, no-store, no-transform',
});

/**
 * Produces the answer of an operation under the preconditions of the request. A record gets its entity tag. The status
 * is 304 for a record that the caller has. It is 412, with the current tag, for one that is not as the caller requires;
 * then nothing is changed.
 */
export async function answerConditionally(
  c: Context<AppEnv>,
  operation: Operation,
  request: OperationRequest,
): Promise<Answer> {
  const { headers } = c.req.raw;
  const ifMatch = parseTagCondition(headers, 'If-Match');
  const ifNoneMatch = parseTagCondition(headers, 'If-None-Match');
  const conditions = { ifMatch, ifNoneMatch };
  if (showsRecord(operation)) return show(c, operation, request, conditions);
  const change = async () => {
    const answer = await produceAnswer(c, operation, request);
    if (!operation.show || !repliesAsShown(operation)) return answer;
    const tag = await entityTag(answer, relationsOf(operation.show, answer.record));
    return { ...answer, headers: { ...answer.headers, ...taggedHeaders(tag) } };
  };
  // A change answers 404 without a record anyway.
  if ((ifMatch === undefined || ifMatch === '*') && ifNoneMatch === undefined) return change();
  const { db } = c.get('admitted');
  if (!operation.show || !db) {
    c.get('warnings').push('If-Match and If-None-Match are ignored: no GET shows this record');
    return change();
  }
  const { show: shown } = operation;
  return changeIf(db, change, () => expectRecord(c, db, shown, conditions));
}

async function show(
  c: Context<AppEnv>,
  operation: Operation,
  request: OperationRequest,
  { ifMatch, ifNoneMatch }: Preconditions,
): Promise<Answer> {
  const answer = await produceAnswer(c, operation, request);
  const tag = await entityTag(answer, includesOfQuery(request.query));
  if (!isMatch(ifMatch, tag)) throw preconditionFailed(tag);
  const headers = { ...answer.headers, ...taggedHeaders(tag) };
  return isNamed(ifNoneMatch, tag) ? { status: 304, headers, body: '' } : { ...answer, headers };
}

/** Only listings name relations. */
const includesOfQuery = (query: unknown) =>
  ((query as Partial<Listing> | undefined)?.includes ?? []).toSorted();

/** The relations that a reply to a change holds: some hold all. */
const relationsOf = ({ query }: Operation, record: unknown) =>
  includesOfQuery(query?.schema.parse({ include: Object.keys(record as object).join() }));

const preconditionFailed = (tag: string) =>
  new HttpError('precondition_failed', { headers: { ETag: tag } });

/** How often a change is tried while columns change that its caller does not see. */
const maxAttempts = 5;

/**
 * Reads the record as its caller does, and runs the change if the preconditions hold. The batch of the change compares
 * the record that was read, so of any number of writers with one tag one succeeds. One round trip more.
 */
async function changeIf(
  db: StoreDb,
  change: () => Promise<Answer>,
  expectIt: () => Promise<void>,
): Promise<Answer> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    await expectIt();
    try {
      return await runCompared(db, change);
    } catch (error) {
      if (!(error instanceof RecordChanged)) throw error;
    }
  }
  throw serviceUnavailable();
}

/**
 * Runs a change. One without a write has compared nothing: a rival may have written the same values, or a state that
 * refuses it. So it decides again, in batches that all compare, and throws `RecordChanged` after a rival.
 */
async function runCompared(db: StoreDb, change: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await change();
    if (!db.isExpecting) return answer;
  } catch (error) {
    if (!db.isExpecting || !isRefusal(error)) throw error;
  }
  return db.compareReads(change);
}

/** Whether the request was refused, rather than interrupted. */
const isRefusal = (error: unknown) =>
  error instanceof ValidationError || (error instanceof HttpError && error.status < 500);

/**
 * Throws a 412 unless the preconditions hold, a 404 without a record; else the change expects the record that was read.
 */
async function expectRecord(
  c: Context<AppEnv>,
  db: StoreDb,
  shown: Operation,
  conditions: Preconditions,
) {
  const tags = await db.observe(async () => {
    const found: string[] = [];
    for (const query of viewsOf(c, shown, conditions)) {
      const request = { query, body: undefined, bytes: new Uint8Array() };
      const answer = await produceAnswer(c, shown, request);
      found.push(await entityTag(answer, includesOfQuery(query)));
    }
    return found;
  });
  const { ifMatch, ifNoneMatch } = conditions;
  const isRefused =
    tags.some((tag) => isNamed(ifNoneMatch, tag)) || !tags.some((tag) => isMatch(ifMatch, tag));
  if (isRefused) throw preconditionFailed(tags[0] ?? '');
  db.expectObserved();
}

/** The queries of the views of a record that the tags are of, each once; that without relations if they name none. */
function viewsOf(c: Context<AppEnv>, shown: Operation, { ifMatch, ifNoneMatch }: Preconditions) {
  const { query: definition, reply } = shown;
  if (!definition) return [undefined];
  const admitted = c.get('admitted');
  const tags = [ifMatch, ifNoneMatch].flatMap((condition) =>
    condition === undefined || condition === '*' ? [] : condition,
  );
  const views = tags.map((tag) =>
    visibleIncludes(admitted.principal, reply.schema, includesOf(tag)).join(),
  );
  return [...new Set(views.length > 0 ? views : [''])].map((include) =>
    runInZone(requestZone(admitted), () =>
      definition.schema.parse(include === '' ? {} : { include }),
    ),
  );
}
