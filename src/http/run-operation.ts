import type { Context, MiddlewareHandler } from 'hono';
import {
  fingerprintRequest,
  idempotencyKeyHeader,
  IdempotentRequest,
  type SerializedResponse,
} from '../access/idempotent-request.ts';
import { exceedsBytes } from '../codecs/fields/byte-length.ts';
import type { Listing } from '../codecs/listing/options.ts';
import { runInZone } from '../codecs/time/zone.ts';
import { answerTooLarge, HttpError, maxAnswerBytes, notFound, ValidationError } from '../errors.ts';
import type { AppEnv } from './app-env.ts';
import { findingStore } from './authenticate.ts';
import { readBodyBytes } from './body/read-json.ts';
import { openCursor, sealCursors, type PageEnds } from './list-cursors.ts';
import { acceptsIdempotencyKey, invalidBodyStatus, type Operation } from './operation.ts';
import { decodeRequestBody, requestZone } from './read-request.ts';
import { withhold, withholdFromText } from './restricted-fields.ts';

/** Handler: reads the body, runs the operation and serializes its reply, or replays the response of an idempotent request. */
export function runOperation(operation: Operation): MiddlewareHandler<AppEnv> {
  return async (c) => {
    try {
      // Read once, for the fingerprint and the operation. A body that the operation does not take stays unread.
      const bytes = operation.body ? await readBodyBytes(c.req.raw) : new Uint8Array();
      return await findingStore(c, () => execute(c, operation, bytes));
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new HttpError(invalidBodyStatus(operation), { errors: error.errors });
    }
  };
}

async function execute(c: Context<AppEnv>, operation: Operation, bytes: Uint8Array) {
  const idempotent = await readIdempotentRequest(c, operation, bytes);
  const replayed = await idempotent?.replay();
  if (replayed) {
    c.get('warnings').push(...replayed.warnings);
    return toResponse(withholdStored(c, operation, replayed));
  }
  const { body, warnings } = await decodeRequestBody(c, operation, bytes);
  const work = async () => ({ ...(await runAndSerialize(c, operation, body, bytes)), warnings });
  if (!idempotent) return toResponse(await work());
  const executed = await idempotent.execute(work, constantResponse(operation));
  return toResponse(withholdStored(c, operation, executed));
}

async function runAndSerialize(
  c: Context<AppEnv>,
  { method, run, reply }: Operation,
  body: unknown,
  bytes: Uint8Array,
): Promise<Omit<SerializedResponse, 'warnings'>> {
  const admitted = c.get('admitted');
  const sentQuery = c.get('query');
  const input = { ...admitted, ids: c.get('ids'), body, settings: c.get('settings') };
  const query = reply.isPage ? await openCursor(c, sentQuery as Listing, bytes) : sentQuery;
  const work = () => run({ ...input, query });
  let result = await work();
  if (result === undefined && admitted.db?.isNear) {
    // The copy may not have the record yet.
    admitted.db.leaveReplica();
    result = await work();
  }
  if (result === undefined) throw notFound();
  const links = reply.isPage ? await sealCursors(c, result as PageEnds, bytes) : undefined;
  const rendered = runInZone(requestZone(admitted), () => reply.render(result, c.req.url, links));
  const { status = reply.status, headers } = rendered;
  const visible = withhold(rendered.body, reply.schema, admitted.principal);
  const text = JSON.stringify(visible);
  // A change has been made by now, and its response is one record.
  if (method === 'GET' && exceedsBytes(text, maxAnswerBytes)) throw answerTooLarge();
  return { status, headers, body: text };
}

/** Leaves out of a response what the caller may not see: the request that stored it may have had more scopes. */
const withholdStored = (
  c: Context<AppEnv>,
  { reply }: Operation,
  stored: SerializedResponse,
): SerializedResponse => ({
  ...stored,
  body: withholdFromText(stored.body, reply.schema, c.get('admitted').principal),
});

const toResponse = ({ body, status, headers }: SerializedResponse) =>
  new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } });

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
  const idempotencyKey = c.req.header(idempotencyKeyHeader);
  if (idempotencyKey === undefined || !db || !acceptsIdempotencyKey(operation)) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new HttpError(400, {
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
