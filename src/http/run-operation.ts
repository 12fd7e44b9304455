import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { HttpError, ValidationError } from '../base/errors.ts';
import {
  fingerprintRequest,
  idempotencyKeyHeader,
  IdempotentRequest,
  type SerializedResponse,
} from './access/idempotent-request.ts';
import type { AppEnv } from './app-env.ts';
import { findingStore } from './authenticate.ts';
import { answerConditionally } from './headers/answer-conditionally.ts';
import { acceptsIdempotencyKey, invalidBodyStatus, type Operation } from './operation.ts';
import { runOperationWork } from './produce-answer.ts';
import { readBodyBytes } from './read-json.ts';
import { decodeRequestBody } from './read-request.ts';
import { assertMediaType, type ReceivedUpload, type Upload } from './request-upload.ts';
import { withholdFromText } from './restricted-fields.ts';

/** The response of an operation, but for the headers of every response. */
export interface OperationAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | ReadableStream<Uint8Array> | null;
}

/** Reads the body, runs the operation and serializes its reply, or replays the response of an idempotent request. */
export function runOperation(
  operation: Operation,
): (c: Context<AppEnv>) => Promise<OperationAnswer> {
  return async (c) => {
    try {
      if (operation.upload) return await executeUpload(c, operation, operation.upload);
      // Read once, for the fingerprint and the operation. A body that the operation does not take stays unread.
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

/** Stores the body of an upload, once the caller is admitted and the operation can begin, and then runs the operation. */
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
  const idempotent = await readIdempotentRequest(c, operation, bytes);
  const replayed = await idempotent?.replay();
  if (replayed) {
    c.get('warnings').push(...replayed.warnings);
    return withType(withholdStored(c, operation, replayed));
  }
  const { body, warnings } = received
    ? { body: received.body, warnings: [] }
    : await decodeRequestBody(c, operation, bytes);
  if (operation.reply.mediaType !== undefined) {
    const content = await runOperationWork(c, operation, { query: c.get('query'), body, bytes });
    // The result of `linesFile` or `tarFile`.
    const file = content as ReadableStream<Uint8Array>;
    return { status: 200, headers: { 'Content-Type': operation.reply.mediaType }, body: file };
  }
  const work = async () => ({
    ...(await answerConditionally(c, operation, { query: c.get('query'), body, bytes })),
    warnings,
  });
  if (!idempotent) return withType(await work());
  const executing = idempotent.execute(work, constantResponse(operation));
  // A caller whose connection is lost repeats the request for its response, so that is stored all the same.
  c.executionCtx.waitUntil(executing.catch(() => undefined));
  const executed = await executing;
  return withType(withholdStored(c, operation, executed));
}

/**
 * Removes the fields of a response that the caller may not see: the request that stored it may have had more scopes.
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
 * `undefined` without the header `Idempotency-Key`, and for operations that do not accept it. Throws a 400 if the key is
 * malformed. The fingerprint covers the body that the operation reads.
 */
async function readIdempotentRequest(
  c: Context<AppEnv>,
  operation: Operation,
  body: Uint8Array,
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
  const { pathname, search } = new URL(c.req.url);
  const { checkKey, sealingKeys } = c.get('settings');
  const parts = { idempotencyKey, method: c.req.method, address: pathname + search, body };
  const fingerprint = await fingerprintRequest(principal, parts, checkKey);
  return new IdempotentRequest(db, fingerprint, sealingKeys);
}

/** The response of an operation that always returns the same one, so it can be stored with the change. */
function constantResponse({ reply, body }: Operation): SerializedResponse | undefined {
  if (reply.constantBody === undefined || body) return undefined;
  const { status, constantBody } = reply;
  return { status, headers: {}, body: JSON.stringify(constantBody), warnings: [] };
}
