import type { Hono } from 'hono';
import type { Faces } from '../http/faces.ts';
import { methodNotAllowed } from '../problem.ts';
import { authorize } from './authorize.ts';
import { authorizePath } from './authorize-path.ts';
import { decide } from './decide.tsx';

/** The authorization endpoint, which people see: `GET` asks, `POST` decides. */
export function mountAuthorize(pages: Hono<Faces>) {
  pages.use(authorizePath, async (c, next) => {
    c.set('operation', 'oauth.authorize');
    await next();
  });
  pages.get(authorizePath, authorize);
  pages.post(authorizePath, decide);
  pages.all(authorizePath, () => {
    throw methodNotAllowed('GET, HEAD, POST');
  });
}
