import type { Context } from 'hono';
import { limited } from '../../access/limits.ts';
import type { Faces } from '../../http/faces.ts';
import type { Here } from '../../session/signed-in.ts';
import { settingsOf } from '../../settings.ts';

type Take = (c: Context<Faces>, here: Here, form: URLSearchParams) => Response | Promise<Response>;

/** Takes forms about webhooks no faster than a person sends them: each may make a request to a receiver. Throws 429. */
export const sparingly =
  (take: Take): Take =>
  async (c, here, form) => {
    const { limits } = settingsOf(c.env);
    await limited(c.env.ME_LIMIT, limits.me, `webhooks:${here.person.user.id}`, here.now);
    return take(c, here, form);
  };
