import type { Context } from 'hono';
import { openDatabase } from '../../db/core/open.ts';
import type { AuditActor } from '../../db/directory/audit.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { requestSource } from '../../http/request-source.ts';
import type { DeedContext } from '../../people/deed.ts';
import { settingsOf } from '../../settings.ts';
import type { PageContext } from './page-context.ts';

/** What a page passes to a deed of its signed-in user. Pages of operators act as one. */
export const pageDeed = (
  c: Context<AppEnv>,
  { session: { user }, now }: Pick<PageContext, 'session' | 'now'>,
  kind: 'user' | 'operator' = 'user',
): DeedContext => requestDeed(c, now, userActor(user, kind));

/** A user as the actor of a deed. */
export const userActor = (
  { id, name }: { id: number; name: string },
  kind: 'user' | 'operator' = 'user',
): AuditActor => ({ kind, id: String(id), name, userId: id });

/** Whoever has not signed in yet. */
const unknownActor: AuditActor = { kind: 'system', id: 'sign-in', name: '', userId: null };

/** What a page without a session passes to a deed: the actor is known only after a password or a link proved who it is. */
export const requestDeed = (
  c: Context<AppEnv>,
  now: number,
  actor: AuditActor = unknownActor,
): DeedContext => ({
  env: c.env,
  settings: settingsOf(c.env),
  directory: openDatabase(c.env.DIRECTORY),
  now,
  actor,
  from: requestSource(c.req.raw),
  defer: (work) => c.executionCtx.waitUntil(work),
});
