import { zValidator } from '@hono/zod-validator';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { admit, type Admitted } from '../access/admit.ts';
import { InvalidBody, methodNotAllowed, notFound, Problem } from '../problem.ts';
import { log } from '../log.ts';
import { settingsOf } from '../settings.ts';
import { fieldErrors } from '../wire/errors.ts';
import { pathId } from '../wire/id.ts';
import { defaultZone, inZone } from '../wire/zone.ts';
import { decodeBody, maxBodyBytes, readBody } from './body.ts';
import { invalidBodyStatus, type Operation, type Section } from './operation.ts';
import type { Faces } from './faces.ts';

/** Tells the queue, after a commit, which mailboxes have something to deliver. */
export type Wake = (env: Env, shard: number, endpoints: number[]) => Promise<void>;

type Row = Context<Faces>;

/**
 * Registers every row, always in the order admit, path, query, body, run (contract 1.1), and a 405 for the
 * other methods of its path. The only place where API routes come to be.
 */
export function mount(app: Hono<Faces>, base: string, sections: readonly Section[], wake: Wake) {
  for (const [path, rows] of rowsByPath(sections)) {
    const address = base + path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const [row, heading] of rows) {
      app.on(
        row.verb,
        address,
        admission(row, heading, wake),
        ...(row.idNames.length > 0 ? [pathIds(row)] : []),
        ...(row.query ? [queryOf(row)] : []),
        ...(row.body ? [limited] : []),
        run(row),
      );
    }
    const allowed = rows.map(([{ verb }]) => verb).join(', ');
    app.all(address, () => {
      throw methodNotAllowed(allowed);
    });
  }
}

/** A path's rows stand together, and literal paths before those with an id in the same place. */
function rowsByPath(sections: readonly Section[]): [string, [Operation, string][]][] {
  const paths = new Map<string, [Operation, string][]>();
  for (const { heading, operations } of sections) {
    for (const row of operations) {
      paths.set(row.path, [...(paths.get(row.path) ?? []), [row, heading]]);
    }
  }
  const ids = ([path]: [string, unknown]) => path.split('{').length;
  return [...paths].sort((one, other) => ids(one) - ids(other));
}

function admission(row: Operation, heading: string, wake: Wake): MiddlewareHandler<Faces> {
  return async (c, next) => {
    const alias = row.isOfStore ? c.req.param('alias') : undefined;
    c.set('operation', row.id);
    const admitted = await admit({
      env: c.env,
      headers: c.req.raw.headers,
      alias,
      access: row.access,
      heading,
      now: Date.now(),
      limits: settingsOf(c.env).limits,
      wake: (shard, endpoints) => c.executionCtx.waitUntil(hinted(wake(c.env, shard, endpoints))),
    });
    c.set('admitted', admitted);
    await next();
  };
}

/** A hint that was not taken costs latency only: the sweep finds the mailbox. */
async function hinted(sent: Promise<void>) {
  try {
    await sent;
  } catch (error) {
    log('warn', 'hint not sent', { reason: String(error).slice(0, 200) });
  }
}

const zoneOf = ({ db }: Admitted) => db?.store.zone ?? defaultZone;

function pathIds(row: Operation): MiddlewareHandler<Faces> {
  const schema = z.object(Object.fromEntries(row.idNames.map((name) => [name, pathId])));
  return zValidator('param', schema, (result) => {
    if (result.success) return;
    if (!row.rejects.includes(400)) throw notFound();
    const sentences = row.idNames
      .filter((name) => result.error.issues.some(({ path }) => path[0] === name))
      .map((name) => [name, ['Must be a positive whole number.']]);
    throw new Problem(400, { errors: Object.fromEntries(sentences) });
  });
}

function queryOf({ query }: Operation): MiddlewareHandler<Faces> {
  const schema = query?.schema ?? z.unknown();
  return async (c, next) => {
    const strange = Object.keys(c.req.queries()).filter((name) => !query?.names.includes(name));
    if (strange.length > 0 && isStrict(c)) {
      throw new Problem(400, {
        errors: Object.fromEntries(strange.map((name) => [name, ['Unknown parameter.']])),
      });
    }
    warn(c, 'query parameter', strange);
    // Dates of a query are days of the store's zone, which is known only now.
    const zone = zoneOf(c.var.admitted);
    const validate = zValidator(
      'query',
      schema,
      (result) => {
        if (!result.success) throw new Problem(400, { errors: fieldErrors(result.error) });
        c.set('query', result.data);
      },
      { validationFunction: (checked, value) => inZone(zone, () => checked.safeParse(value)) },
    );
    return (validate as MiddlewareHandler<Faces>)(c, next);
  };
}

const limited = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw new Problem(413);
  },
});

function run(row: Operation): MiddlewareHandler<Faces> {
  const { body: schema, reply } = row;
  return async (c: Row) => {
    const { admitted } = c.var;
    const zone = zoneOf(admitted);
    try {
      let body: unknown;
      if (schema) {
        const sent = await readBody(c.req);
        const decoded = inZone(zone, () => decodeBody(schema, reply.fields, sent, isStrict(c)));
        warn(c, 'field', decoded.unknown);
        body = decoded.value;
      }
      // `pathIds` has checked exactly these names.
      const ids = (row.idNames.length > 0 ? c.req.valid('param' as never) : {}) as Record<
        string,
        number
      >;
      const given = await row.run({
        ...admitted,
        ids,
        query: c.var.query,
        body,
        settings: settingsOf(c.env),
      });
      if (given === undefined) throw notFound();
      const rendered = inZone(zone, () => reply.render(given, new URL(c.req.url)));
      return c.json(rendered.body as object, reply.status, rendered.headers);
    } catch (error) {
      if (!(error instanceof InvalidBody)) throw error;
      throw new Problem(invalidBodyStatus(row), { errors: error.errors });
    }
  };
}

const isStrict = (c: Row) => /\bhandling\s*=\s*"?strict"?/i.test(c.req.header('Prefer') ?? '');

/** Names what was ignored; anything that would not fit into a header is left out. */
function warn(c: Row, kind: string, names: readonly string[]) {
  const plain = names.filter((name) => /^[\w.[\]-]{1,60}$/.test(name)).slice(0, 20);
  if (plain.length > 0) c.var.warnings.push(`Unknown ${kind} ignored: ${plain.join(', ')}`);
}
