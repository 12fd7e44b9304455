import { sql } from 'drizzle-orm';
import type { Context, Hono } from 'hono';
import { HttpError, DryRunEnded, ValidationError, methodNotAllowed } from '../base/errors.ts';
import { AssistantRecorder, recordAssistant } from '../data/audit/audit-lines.ts';
import type { RecordChange } from '../data/core/statement.ts';
import {
  findingStore,
  authenticateRequest,
  ensureGuarded,
  type EventPorts,
} from './access/admit.ts';
import {
  fingerprintRequest,
  idempotencyKeyHeader,
  IdempotentRequest,
  type SerializedResponse,
} from './access/idempotent-request.ts';
import { withholdFromText } from './access/restricted-fields.ts';
import { answerConditionally, runOperationWork } from './answer.ts';
import type { AppEnv } from './app-env.ts';
import { refuseRequest } from './error-response.ts';
import {
  acceptsIdempotencyKey,
  canDryRun,
  invalidBodyStatus,
  pathUnder,
  type Operation,
  toHonoPath,
  type OperationGroup,
} from './operation.ts';
import { answersQuery, queryFormats, takeAsGet } from './query-method.ts';
import {
  canonicalBody,
  decodeRequestBody,
  readAddress,
  readBodyBytes,
  withAllScopes,
} from './read-request.ts';
import { assertMediaType, type ReceivedUpload, type Upload } from './request-upload.ts';

/**
 * Registers every operation with its checks in one fixed order (see README: Order of checks), and a
 * 405 for the other methods of its path. API routes are registered nowhere else.
 */
export function registerOperations(
  app: Hono<AppEnv>,
  basePath: string,
  groups: readonly OperationGroup[],
  ports: EventPorts,
) {
  for (const [path, operations] of operationsByPath(groups)) {
    const honoPath = toHonoPath(basePath, path);
    for (const { operation, tag } of operations) {
      app.on(operation.method, honoPath, handleOperation(operation, tag, ports));
    }
    const listed = operations.find(({ operation }) => answersQuery(operation));
    if (listed) {
      const answer = handleOperation(listed.operation, listed.tag, ports, takeAsGet);
      app.on('QUERY', honoPath, answer);
    }
    const methods = operations.map(({ operation }) => operation.method as string);
    const allow = [...methods, ...(listed ? ['QUERY'] : [])].join(', ');
    app.all(honoPath, () => {
      throw methodNotAllowed(allow, listed && queryFormats);
    });
  }
}

/**
 * The checks of an operation in their order, its work and its response. One handler: each layer of
 * Hono costs each request.
 */
function handleOperation(
  operation: Operation,
  tag: string,
  ports: EventPorts,
  prepare?: typeof takeAsGet,
) {
  const formats = answersQuery(operation) ? queryFormats : undefined;
  const authenticate = authenticateRequest(operation, tag, ports);
  const read = readAddress(operation);
  const run = runOperation(operation);
  return async (c: Context<AppEnv>): Promise<Response> => {
    const refused = prepare && (await prepare(c));
    await authenticate(c).catch(async (error: unknown) => {
      throw await withAllScopes(error, c, operation);
    });
    let answer: OperationAnswer;
    try {
      if (refused) throw refused;
      await read(c);
      answer = await run(c);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const refusal = refuseRequest(error, c);
      if (refusal.status < 500) await ensureGuarded(c);
      return refusal;
    }
    await ensureGuarded(c);
    const { status, headers, body } = answer;
    c.set('isComplete', true);
    // All headers at once: to set one of a response takes as long as to make it with three.
    const all = { ...c.get('defaultHeaders'), ...formats, ...headers };
    return new Response(body, { status, headers: all });
  };
}

interface TaggedOperation {
  operation: Operation;
  tag: string;
}

/** Operations by path; literal paths come before paths with a parameter in the same place. */
function operationsByPath(groups: readonly OperationGroup[]): [string, TaggedOperation[]][] {
  const paths = new Map<string, TaggedOperation[]>();
  for (const { tag, operations } of groups) {
    for (const operation of operations) {
      paths.set(operation.path, [...(paths.get(operation.path) ?? []), { operation, tag }]);
    }
  }
  const countParams = ([path]: [string, unknown]) => path.split('{').length;
  return [...paths].sort((a, b) => countParams(a) - countParams(b));
}

/** The response of an operation, but for the headers of every response. */
interface OperationAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | ReadableStream<Uint8Array> | null;
}

/**
 * Reads the body, runs the operation and serializes its reply, or replays the response of an
 * idempotent request.
 */
function runOperation(operation: Operation): (c: Context<AppEnv>) => Promise<OperationAnswer> {
  return async (c) => {
    try {
      if (operation.upload) return await executeUpload(c, operation, operation.upload);
      // Read once, for the fingerprint and the operation. A body that the operation does not take
      // stays unread.
      const bytes = operation.body ? await readBodyBytes(c.req.raw) : new Uint8Array();
      return await findingStore(c, () => execute(c, operation, bytes));
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new HttpError('invalid_body', {
        status: invalidBodyStatus(operation),
        errors: error.errors,
      });
    }
  };
}

/**
 * Stores the body of an upload, once the caller is admitted and the operation can begin, and then
 * runs the operation.
 */
async function executeUpload(
  c: Context<AppEnv>,
  operation: Operation,
  upload: Upload<unknown>,
): Promise<OperationAnswer> {
  assertMediaType(c.req.raw, upload);
  await findingStore(c, async () => {
    // Without its body, the request has a key, but no fingerprint yet.
    const repeated = await readIdempotentRequest(c, operation, new Uint8Array());
    const { db } = c.get('admitted');
    if (db) await upload.admit(db, repeated?.isExecuted ?? sql`0`);
  });
  const storeId = c.get('admitted').db?.store.id ?? 0;
  const received = await upload.receive(c.req.raw, c.env.ARCHIVE, storeId);
  try {
    return await findingStore(c, () => execute(c, operation, received.digest, received));
  } finally {
    await received.end();
  }
}

async function execute(
  c: Context<AppEnv>,
  operation: Operation,
  bytes: Uint8Array,
  received?: ReceivedUpload<unknown>,
): Promise<OperationAnswer> {
  if (c.get('assistantCall')?.isTried) return tryChange(c, operation, bytes);
  const record = assistantRecord(c, operation);
  const idempotent = await readIdempotentRequest(c, operation, bytes, record);
  const decode = async () =>
    received ? { body: received.body, warnings: [] } : decodeRequestBody(c, operation, bytes);
  if (operation.reply.mediaType !== undefined) {
    const { body } = await decode();
    const content = await runOperationWork(c, operation, { query: c.get('query'), body, bytes });
    // The result of `linesFile` or `tarFile`.
    const file = content as ReadableStream<Uint8Array>;
    return { status: 200, headers: { 'Content-Type': operation.reply.mediaType }, body: file };
  }
  const work = async () => {
    const { body, warnings } = await decode();
    const request = { query: c.get('query'), body, bytes };
    return { ...(await answerConditionally(c, operation, request)), warnings };
  };
  if (!idempotent) {
    const { db } = c.get('admitted');
    if (record) db?.recordChanges(new AssistantRecorder(db, record));
    return withType(await work());
  }
  const executing = idempotent.execute(work, constantResponse(operation), (storing) =>
    c.executionCtx.waitUntil(storing),
  );
  // A caller whose connection is lost repeats the request for its response, so that is stored all
  // the same.
  c.executionCtx.waitUntil(executing.catch(() => undefined));
  const executed = await executing;
  const warnings = c.get('warnings');
  // Those of a stored response, of a release that ignored other fields.
  warnings.push(...executed.warnings.filter((warning) => !warnings.includes(warning)));
  return withType(withholdStored(c, operation, executed));
}

/**
 * Records a change of an assistant in the activity of the store; `undefined` for reads and other
 * callers.
 */
function assistantRecord(c: Context<AppEnv>, operation: Operation): RecordChange | undefined {
  const { db } = c.get('admitted');
  if (!db || !acceptsIdempotencyKey(operation) || !c.get('assistantCall')) return undefined;
  const { id: action, method, path, pathParams } = operation;
  const createsAt = method === 'POST' ? path : undefined;
  return recordAssistant(db, { action, createsAt, id: c.get('ids')[pathParams.at(-1) ?? ''] });
}

/** Answers a change that is only tried: nothing is stored, and a refusal is that of the change. */
async function tryChange(
  c: Context<AppEnv>,
  operation: Operation,
  bytes: Uint8Array,
): Promise<OperationAnswer> {
  const { db } = c.get('admitted');
  if (!db || !canDryRun(operation)) {
    throw new HttpError('invalid_body', { errors: { dry_run: ['This change cannot be tried.'] } });
  }
  const { body } = await decodeRequestBody(c, operation, bytes);
  const request = { query: c.get('query'), body, bytes };
  db.startDryRun();
  try {
    await answerConditionally(c, operation, request);
  } catch (error) {
    if (!(error instanceof DryRunEnded)) throw error;
  }
  return withType({ status: 200, headers: {}, body: '{"dry_run":true}', warnings: [] });
}

/**
 * Removes the fields of a response that the caller may not see: the request that stored it may have
 * had more scopes.
 */
function withholdStored(
  c: Context<AppEnv>,
  { reply }: Operation,
  stored: SerializedResponse,
): SerializedResponse {
  const body = withholdFromText(stored.body, reply.schema, c.get('admitted').principal);
  if (body === stored.body) return stored;
  // The tag is that of the whole record, and goes with its `no-transform`.
  const { ETag: _, 'Cache-Control': __, ...headers } = stored.headers;
  return { ...stored, headers, body };
}

const withType = ({ body, status, headers }: SerializedResponse): OperationAnswer =>
  status === 304
    ? { status, headers, body: null }
    : { status, headers: { 'Content-Type': 'application/json', ...headers }, body };

/**
 * `undefined` without the header `Idempotency-Key`, and for operations that do not accept it.
 * Throws a 400 if the key is malformed. The fingerprint covers what the query and the body say,
 * however it is spelled.
 */
async function readIdempotentRequest(
  c: Context<AppEnv>,
  operation: Operation,
  body: Uint8Array,
  record?: RecordChange,
): Promise<IdempotentRequest | undefined> {
  const { db, principal } = c.get('admitted');
  if (!db || !acceptsIdempotencyKey(operation)) return undefined;
  const idempotencyKey = c.req.header(idempotencyKeyHeader);
  if (idempotencyKey === undefined) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new HttpError('invalid_idempotency_key', {
      errors: { [idempotencyKeyHeader]: ['Must be 1 to 255 printable ASCII characters.'] },
    });
  }
  const { pathname, search, searchParams } = new URL(c.req.url);
  searchParams.sort();
  const { checkKey, formerCheckKeys, sealingKeys } = c.get('settings');
  // A retry after the store was renamed is the same request.
  const path = pathUnder(pathname, db.store.id);
  const parts = {
    idempotencyKey,
    earlierKey: c.get('assistantCall')?.earlierKey,
    method: c.req.method,
    address: search === '' ? path : `${path}?${searchParams.toString()}`,
    body: operation.upload ? body : canonicalBody(body),
  };
  const fingerprint = await fingerprintRequest(principal, parts, checkKey, formerCheckKeys);
  const keepsAnswer = parts.earlierKey === undefined;
  return new IdempotentRequest(db, fingerprint, sealingKeys, { keepsAnswer, record });
}

/**
 * The response of an operation that always returns the same one, so it can be stored with the
 * change.
 */
function constantResponse({ reply, body }: Operation): SerializedResponse | undefined {
  if (reply.constantBody === undefined || body) return undefined;
  const { status, constantBody } = reply;
  return { status, headers: {}, body: JSON.stringify(constantBody), warnings: [] };
}
