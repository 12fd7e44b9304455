import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod';
import type { Admitted } from '../access/admit.ts';
import { notFound, Problem } from '../problem.ts';
import { fieldErrors } from '../wire/errors.ts';
import { pathId } from '../wire/id.ts';
import { defaultZone, inZone } from '../wire/zone.ts';
import type { Faces } from './faces.ts';
import type { Operation } from './operation.ts';
import { pathTextOf } from './path-texts.ts';

/** The zone of what a row reads and shows: the store's, or the default one on rows of no store. */
export const zoneOf = ({ db }: Admitted) => db?.store.zone ?? defaultZone;

/** Checks the ids of the path: 400 where the row lists it, else 404. */
export function pathIds(row: Operation): MiddlewareHandler<Faces> {
  const schema = z.object(
    Object.fromEntries(row.idNames.map((name) => [name, pathTextOf(name)?.schema ?? pathId])),
  );
  return zValidator('param', schema, (result) => {
    if (result.success) return;
    if (!row.rejects.includes(400)) throw notFound();
    const sentences = row.idNames
      .filter((name) => result.error.issues.some(({ path }) => path[0] === name))
      .map((name) => [name, ['Must be a positive whole number.']]);
    throw new Problem(400, { errors: Object.fromEntries(sentences) });
  });
}

/** Reads the query: 400 for a malformed value, and for an unknown name if the caller is strict. */
export function queryOf({ query }: Operation): MiddlewareHandler<Faces> {
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

/** Whether the caller wants to hear of what nobody knows (RFC 7240). */
export const isStrict = (c: Context<Faces>) =>
  /\bhandling\s*=\s*"?strict"?/i.test(c.req.header('Prefer') ?? '');

/** Names what was ignored; anything that would not fit into a header is left out. */
export function warn(c: Context<Faces>, kind: string, names: readonly string[]) {
  const plain = names.filter((name) => /^[\w.[\]-]{1,60}$/.test(name)).slice(0, 20);
  if (plain.length > 0) c.var.warnings.push(`Unknown ${kind} ignored: ${plain.join(', ')}`);
}
