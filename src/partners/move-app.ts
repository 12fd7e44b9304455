import type { Context } from 'hono';
import { openShard } from '../db/open.ts';
import { publishApp } from '../db/partner-apps.ts';
import type { Faces } from '../http/faces.ts';
import { disableApp } from '../oauth/disable-app.ts';
import type { Here } from '../session/signed-in.ts';
import { appPaths, type Move } from './app-paths.ts';
import { ownApp } from './own-app.ts';

const news = { publish: 'published', withdraw: 'withdrawn', disable: 'disabled' } as const;

/**
 * Publishes a draft, takes an app back to draft or disables it; the last two end all its connections, shard by
 * shard, and may be sent again when a shard did not answer.
 */
export const moveApp = (move: Move) => async (c: Context<Faces>, here: Here) => {
  const { client_id: clientId } = await ownApp(c, here);
  const { person, now } = here;
  if (move === 'publish') {
    await publishApp(openShard(c.env.DIRECTORY), { ownerId: person.user.id, clientId, now });
  } else {
    await disableApp(c.env, clientId, now, move === 'disable' ? 'disabled' : 'draft');
  }
  return c.redirect(`${appPaths.app(clientId)}?done=${news[move]}`, 303);
};
