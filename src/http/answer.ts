import type { Context } from 'hono';
import { exceedsBytes } from '../base/codecs/fields/normalize-text.ts';
import { runInZone } from '../base/codecs/fields/zone.ts';
import type { Listing } from '../base/codecs/listing/options.ts';
import { sha256 } from '../base/crypto/digest.ts';
import type { ErrorCode } from '../base/error-codes.ts';
import {
  answerTooLarge,
  HttpError,
  maxAnswerBytes,
  notFound,
  RecordChanged,
  serviceUnavailable,
  ValidationError,
} from '../base/errors.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { requestSource } from '../data/audit/audit-lines.ts';
import { openDatabase } from '../data/core/open-database.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import { wakeNotices } from '../data/grants/app-notices.ts';
import { wake } from '../data/queues.ts';
import type { Operator } from './access/principal.ts';
import { visibleIncludes, withhold } from './access/restricted-fields.ts';
import type { AppEnv } from './app-env.ts';
import { errorBody } from './error-response.ts';
import { openCursor, sealCursors, type PageEnds } from './list-cursors.ts';
import { repliesAsShown, showsRecord, type Background, type Operation } from './operation.ts';
import { requestZone } from './read-request.ts';

/** The preconditions of a request on its record (RFC 9110, section 13). */
interface Preconditions {
  ifMatch: TagCondition | undefined;
  ifNoneMatch: TagCondition | undefined;
}

/**
 * A digest of the whole response is a tag only as long as no proxy rewrites it. One that compresses
 * would make it weak, and no weak tag matches `If-Match`.
 */
const taggedHeaders = (tag: string) => ({
  ETag: tag,
  'Cache-Control': 'private, no-store, no-transform',
});

/**
 * Produces the answer of an operation under the preconditions of the request. A record gets its
 * entity tag. The status is 304 for a record that the caller has. It is 412, with the current tag,
 * for one that is not as the caller requires; then nothing is changed.
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
  if (showsRecord(operation)) {
    // The result of a tool has no headers.
    if (!ifMatch && !ifNoneMatch && c.get('assistantCall')) {
      return produceAnswer(c, operation, request);
    }
    return show(c, operation, request, conditions);
  }
  if (operation.hasListTag && !c.get('assistantCall')) {
    if (ifMatch) c.get('warnings').push(ignoredConditions);
    return list(c, operation, request, ifNoneMatch);
  }
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
    c.get('warnings').push(ignoredConditions);
    return change();
  }
  const { show: shown } = operation;
  return changeIf(db, change, () => expectRecord(c, db, shown, conditions));
}

const ignoredConditions = 'If-Match and If-None-Match are ignored: no GET shows this record';

/**
 * Answers with a list and its tag, which is weak: the cursors of its links differ from answer to
 * answer.
 */
async function list(
  c: Context<AppEnv>,
  operation: Operation,
  request: OperationRequest,
  ifNoneMatch: TagCondition | undefined,
): Promise<Answer> {
  const answer = await produceAnswer(c, operation, request);
  if (answer.visible === undefined) return answer;
  const { data, meta } = answer.visible as { data: unknown; meta: { pagination: object } };
  const tag = await entityTag({ record: [data, { ...meta.pagination, links: undefined }] }, []);
  const headers = { ...answer.headers, ETag: `W/${tag}` };
  return isNamed(ifNoneMatch, tag) ? { status: 304, headers, body: '' } : { ...answer, headers };
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
 * Reads the record as its caller does, and runs the change if the preconditions hold. The batch of
 * the change compares the record that was read, so of any number of writers with one tag one
 * succeeds. One round trip more.
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
 * Runs a change. One without a write has compared nothing: a rival may have written the same
 * values, or a state that refuses it. So it decides again, in batches that all compare, and throws
 * `RecordChanged` after a rival.
 */
async function runCompared(db: StoreDb, change: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await change();
    if (!db.reads.isExpecting) return answer;
  } catch (error) {
    if (!db.reads.isExpecting || !isRefusal(error)) throw error;
  }
  return db.reads.compareReads(change);
}

/** Whether the request was refused, rather than interrupted. */
const isRefusal = (error: unknown) =>
  error instanceof ValidationError || (error instanceof HttpError && error.status < 500);

/**
 * Throws a 412 unless the preconditions hold, a 404 without a record; else the change expects the
 * record that was read.
 */
async function expectRecord(
  c: Context<AppEnv>,
  db: StoreDb,
  shown: Operation,
  conditions: Preconditions,
) {
  const tags = await db.reads.observe(async () => {
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
  db.reads.expectObserved();
}

/**
 * The queries of the views of a record that the tags are of, each once; that without relations if
 * they name none.
 */
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

/**
 * An entity tag as a client sent it (RFC 9110, section 8.8.3). `value` is the text in the quotes.
 */
interface SentTag {
  value: string;
  isWeak: boolean;
}

/** The header `If-Match` or `If-None-Match`: any record, or one with one of these tags. */
type TagCondition = '*' | readonly SentTag[];

/**
 * Tags that a header may list: a change reads the record once for each set of relations that they
 * name.
 */
const maxTags = 8;

/** Characters of the digest in a tag, 132 bits. */
const digestLength = 22;

/**
 * Returns the strong tag of a record. It is a digest of the content for its caller and of the time
 * of its last change, then the relations that it includes. So it differs whenever a byte of the
 * response differs, and names how to read the record again.
 */
async function entityTag(
  { record, updatedAt }: Pick<Answer, 'record' | 'updatedAt'>,
  includes: readonly string[],
): Promise<string> {
  const digest = (await sha256(JSON.stringify([record, updatedAt]))).slice(0, digestLength);
  return `"${[digest, ...includes].join('.')}"`;
}

/**
 * Returns the relations that our tag names. A foreign tag names none, or some that no record has.
 */
const includesOf = ({ value }: SentTag): string[] => value.split('.').slice(1);

/** Parses a header of entity tags; `undefined` without one, a 400 if it is malformed. */
function parseTagCondition(headers: Headers, name: string): TagCondition | undefined {
  const text = headers.get(name)?.trim();
  if (text === undefined) return undefined;
  if (text === '*') return '*';
  const tags: SentTag[] = [];
  // RFC 9110 lets a list have empty elements.
  const element = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y;
  while (element.lastIndex < text.length) {
    const match = element.exec(text);
    if (!match || tags.length > maxTags) throw malformed(name);
    const [, weak, value] = match;
    if (value !== undefined) tags.push({ value, isWeak: weak !== undefined });
  }
  if (tags.length === 0 || tags.length > maxTags) throw malformed(name);
  return tags;
}

const malformed = (name: string) =>
  new HttpError('invalid_precondition', {
    errors: { [name]: [`Must be * or 1 to ${maxTags} entity tags in double quotes.`] },
  });

/**
 * Whether a record with this tag fulfils `If-Match`: by strong comparison, so a weak tag never
 * matches.
 */
const isMatch = (condition: TagCondition | undefined, current: string): boolean =>
  condition === undefined ||
  condition === '*' ||
  condition.some(({ value, isWeak }) => !isWeak && `"${value}"` === current);

/** Whether a record with this tag is one that `If-None-Match` names: by weak comparison. */
const isNamed = (condition: TagCondition | undefined, current: string): boolean =>
  condition !== undefined &&
  (condition === '*' || condition.some(({ value }) => `"${value}"` === current));

/** The request that an operation works on. `bytes` are those of the body, for cursors. */
interface OperationRequest {
  query: unknown;
  body: unknown;
  bytes: Uint8Array;
}

/** A response before it is sent. */
interface Answer {
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
async function produceAnswer(
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
