import type { Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { admit } from '../access/admit.ts';
import { methodNotAllowed, Problem } from '../problem.ts';
import { settingsOf } from '../settings.ts';
import { addressOf } from './address.ts';
import { maxBodyBytes } from './body.ts';
import type { Faces } from './faces.ts';
import type { Operation, Section } from './operation.ts';
import { run } from './run.ts';
import { pathIds, queryOf } from './validate.ts';

/** Tells the queue, after a commit, which mailboxes have something to deliver; never rejects. */
export type Wake = (
  env: Env,
  shard: number,
  endpoints: number[],
  areSlow: boolean,
) => Promise<void>;

/**
 * Registers every row, always in the order admit, path, query, body, run (contract 1.1), and a 405 for the
 * other methods of its path. The only place where API routes come to be.
 */
export function mount(app: Hono<Faces>, base: string, sections: readonly Section[], wake: Wake) {
  for (const [path, rows] of rowsByPath(sections)) {
    const address = addressOf(base, path);
    for (const [row, heading] of rows) {
      app.on(
        row.verb,
        address,
        admission(row, heading, wake),
        ...(row.idNames.length > 0 ? [pathIds(row)] : []),
        ...(row.query ? [queryOf(row)] : []),
        // Hono's limit rebuilds the request, which none with GET survives; `readBody` looks at its size.
        ...(row.body && row.verb !== 'GET' ? [limited] : []),
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
    const { limits, tokenKeys } = settingsOf(c.env);
    const admitted = await admit({
      env: c.env,
      headers: c.req.raw.headers,
      alias,
      access: row.access,
      heading,
      now: Date.now(),
      defer: (work) => c.executionCtx.waitUntil(work),
      limits,
      tokenKeys,
      wake: (...woken) => c.executionCtx.waitUntil(wake(c.env, ...woken)),
    });
    c.set('admitted', admitted);
    await next();
    if (c.res.status < 500) await admitted.db?.assured();
  };
}

const limited = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw new Problem(413);
  },
});
