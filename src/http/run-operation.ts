import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  fingerprintRequest,
  idempotencyKeyHeader,
  IdempotentRequest,
  type SerializedResponse,
} from '../access/idempotent-request.ts';
import { runInZone } from '../codecs/time/zone.ts';
import { HttpError, notFound, ValidationError } from '../errors.ts';
import type { AppEnv } from './app-env.ts';
import { acceptsIdempotencyKey, invalidBodyStatus, type Operation } from './operation.ts';
import { readBody, requestZone } from './read-request.ts';

/** Handler: reads the body, runs the operation and serializes its reply, or replays the response of an idempotent request. */
export function runOperation(operation: Operation): MiddlewareHandler<AppEnv> {
  return async (c) => {
    try {
      const idempotent = await readIdempotentRequest(c, operation);
      const replayed = await idempotent?.replay();
      if (replayed) {
        c.var.warnings.push(...replayed.warnings);
        return toResponse(c, replayed);
      }
      const { body, warnings } = await readBody(c, operation);
      const work = async () => ({ ...(await runAndSerialize(c, operation, body)), warnings });
      return toResponse(
        c,
        await (idempotent ? idempotent.execute(work, constantResponse(operation)) : work()),
      );
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new HttpError(invalidBodyStatus(operation), { errors: error.errors });
    }
  };
}

async function runAndSerialize(
  c: Context<AppEnv>,
  { run, reply, pathParams }: Operation,
  body: unknown,
): Promise<Omit<SerializedResponse, 'warnings'>> {
  const { admitted, query, settings } = c.var;
  // `validatePathIds` checked exactly these names.
  const ids = (pathParams.length > 0 ? c.req.valid('param' as never) : {}) as Record<
    string,
    number | string
  >;
  const result = await run({ ...admitted, ids, query, body, settings });
  if (result === undefined) throw notFound();
  const rendered = runInZone(requestZone(admitted), () => reply.render(result, c.req.url));
  const { status = reply.status, headers } = rendered;
  return { status, headers, body: JSON.stringify(rendered.body) };
}

const toResponse = (c: Context<AppEnv>, { body, status, headers }: SerializedResponse) =>
  // Statuses of replies always come with a body.
  c.body(body, status as ContentfulStatusCode, { 'Content-Type': 'application/json', ...headers });

/**
 * `undefined` without the header `Idempotency-Key`, and for operations that do not accept it. Throws a 400 if the key is
 * malformed. The fingerprint covers the body only if the operation reads one.
 */
async function readIdempotentRequest(
  c: Context<AppEnv>,
  operation: Operation,
): Promise<IdempotentRequest | undefined> {
  const { db, principal } = c.var.admitted;
  const idempotencyKey = c.req.header(idempotencyKeyHeader);
  if (idempotencyKey === undefined || !db || !acceptsIdempotencyKey(operation)) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new HttpError(400, {
      errors: { [idempotencyKeyHeader]: ['Must be 1 to 255 printable ASCII characters.'] },
    });
  }
  const { pathname, search } = new URL(c.req.url);
  const { sealingKey } = c.var.settings;
  const body = operation.body ? new Uint8Array(await c.req.arrayBuffer()) : new Uint8Array();
  const parts = { idempotencyKey, method: c.req.method, address: pathname + search, body };
  const fingerprint = await fingerprintRequest(principal, parts, sealingKey);
  return new IdempotentRequest(db, fingerprint, sealingKey);
}

/** The response of an operation that always returns the same one, so it can be stored with the change. */
function constantResponse({ reply, body }: Operation): SerializedResponse | undefined {
  if (reply.constantBody === undefined || body) return undefined;
  const { status, constantBody } = reply;
  return { status, headers: {}, body: JSON.stringify(constantBody), warnings: [] };
}
