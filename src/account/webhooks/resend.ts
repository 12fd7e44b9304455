import type { Context } from 'hono';
import { startReplay } from '../../events/replay-start.ts';
import type { Faces } from '../../http/faces.ts';
import { notFound, Problem } from '../../problem.ts';
import type { Here } from '../../session/signed-in.ts';
import { ownWebhook } from './own-webhook.ts';
import { pathNumber } from './path-number.ts';
import { webhookPaths } from './webhook-paths.ts';

/** Sends a delivery again. One whose body is kept no longer leads back to its page, which says so. */
export async function resend(c: Context<Faces>, here: Here) {
  const { store, db, owner, id } = ownWebhook(c, here);
  const seq = pathNumber(c.req.param('seq'));
  try {
    if (!(await startReplay(db, owner, id, { seq }))) throw notFound();
  } catch (error) {
    if (error instanceof Problem && error.status === 410) return c.redirect(c.req.path, 303);
    throw error;
  }
  return c.redirect(`${webhookPaths.one(store.alias, id)}?done=resent`, 303);
}
