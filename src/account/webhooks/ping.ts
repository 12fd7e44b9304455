import type { Context } from 'hono';
import { realPorts } from '../../events/clock.ts';
import { pingEndpoint } from '../../events/ping-endpoint.ts';
import type { Faces } from '../../http/faces.ts';
import { InvalidBody, notFound } from '../../problem.ts';
import type { Here } from '../../session/signed-in.ts';
import { settingsOf } from '../../settings.ts';
import { ownWebhook } from './own-webhook.ts';
import { showPing } from './show-ping.tsx';
import { isTooSoon, tooSoon } from './too-soon.ts';

/** Sends a ping and shows what came of it; 429 within ten seconds of the store's last one. */
export async function ping(c: Context<Faces>, here: Here) {
  const { db, owner, id } = ownWebhook(c, here);
  const outside = { settings: settingsOf(c.env), ports: realPorts };
  try {
    const sent = await pingEndpoint(db, owner, id, outside);
    if (!sent) throw notFound();
    return await showPing(c, here, sent);
  } catch (error) {
    if (error instanceof InvalidBody) return showPing(c, here, 'urlRefused', { status: 422 });
    if (isTooSoon(error)) return showPing(c, here, 'tooSoon', tooSoon(error));
    throw error;
  }
}
