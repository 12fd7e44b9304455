import type { Context, MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Answer } from '../access/once.ts';
import { InvalidBody, notFound, Problem } from '../problem.ts';
import { settingsOf } from '../settings.ts';
import { inZone } from '../wire/zone.ts';
import { decodeBody, objectIn, readBody } from './body.ts';
import type { Faces } from './faces.ts';
import { onceOf, onlyAnswer } from './once.ts';
import { invalidBodyStatus, isBodyOptional, type Operation } from './operation.ts';
import { isStrict, warn, zoneOf } from './validate.ts';

type Row = Context<Faces>;

/** Reads the body, does the work and answers; a request with an idempotency key that was carried out answers as it did. */
export function run(row: Operation): MiddlewareHandler<Faces> {
  return async (c: Row) => {
    try {
      const once = await onceOf(c, row);
      const known = await once?.recalled();
      if (known) c.var.warnings.push(...known.warnings);
      if (known) return shown(c, known);
      const earlier = c.var.warnings.length;
      const body = await bodyOf(c, row);
      const warnings = c.var.warnings.slice(earlier);
      const work = async () => ({ ...(await answerOf(c, row, body)), warnings });
      return shown(c, await (once ? once.carryOut(work, onlyAnswer(row)) : work()));
    } catch (error) {
      if (!(error instanceof InvalidBody)) throw error;
      throw new Problem(invalidBodyStatus(row), { errors: error.errors });
    }
  };
}

async function bodyOf(c: Row, row: Operation): Promise<unknown> {
  const { body: schema, reply } = row;
  if (!schema) return undefined;
  const sent = await readBody(c.req);
  if (sent === undefined && isBodyOptional(row)) return undefined;
  const fields = objectIn(sent === undefined ? {} : sent);
  const found = (await row.inspect?.(fields, settingsOf(c.env))) ?? {};
  const decoded = inZone(zoneOf(c.var.admitted), () =>
    decodeBody(schema, reply.fields, fields, { isStrict: isStrict(c), found }),
  );
  warn(c, 'field', decoded.unknown);
  return decoded.value;
}

async function answerOf(c: Row, row: Operation, body: unknown): Promise<Omit<Answer, 'warnings'>> {
  const { admitted, query } = c.var;
  const { reply } = row;
  // `pathIds` has checked exactly these names.
  const ids = (row.idNames.length > 0 ? c.req.valid('param' as never) : {}) as Record<
    string,
    number | string
  >;
  const given = await row.run({ ...admitted, ids, query, body, settings: settingsOf(c.env) });
  if (given === undefined) throw notFound();
  const rendered = inZone(zoneOf(admitted), () => reply.render(given, c.req.url));
  const { status = reply.status, headers } = rendered;
  return { status, headers, body: JSON.stringify(rendered.body) };
}

const shown = (c: Row, { body, status, headers }: Answer) =>
  // The status is one of those that replies have, all of which come with a body.
  c.body(body, status as ContentfulStatusCode, { 'Content-Type': 'application/json', ...headers });
