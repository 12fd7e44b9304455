import type { Context } from 'hono';
import { keyedRequest } from '../access/keyed-request.ts';
import { keyHeader, Once, type Answer } from '../access/once.ts';
import { Problem } from '../problem.ts';
import { settingsOf } from '../settings.ts';
import type { Faces } from './faces.ts';
import { takesKey, type Operation } from './operation.ts';

/**
 * The request as one that is carried out once; `undefined` without the header `Idempotency-Key`, and on rows that
 * take none. Throws a 400 for a key that is malformed. The body counts on rows that read one.
 */
export async function onceOf(c: Context<Faces>, row: Operation): Promise<Once | undefined> {
  const { db, principal } = c.var.admitted;
  const idempotencyKey = c.req.header(keyHeader);
  if (idempotencyKey === undefined || !db || !takesKey(row)) return undefined;
  if (!/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new Problem(400, {
      errors: { [keyHeader]: ['Must be 1 to 255 printable ASCII characters.'] },
    });
  }
  const { pathname, search } = new URL(c.req.url);
  const { sealingKey } = settingsOf(c.env);
  const body = row.body ? new Uint8Array(await c.req.arrayBuffer()) : new Uint8Array();
  const sent = { idempotencyKey, method: c.req.method, address: pathname + search, body };
  return new Once(db, await keyedRequest(principal, sent, sealingKey), sealingKey);
}

/** The answer of a row that has but one, so that it is known before anything is done. */
export function onlyAnswer({ reply, body }: Operation): Answer | undefined {
  if (reply.constant === undefined || body) return undefined;
  const { status, constant } = reply;
  return { status, headers: {}, body: JSON.stringify(constant), warnings: [] };
}
