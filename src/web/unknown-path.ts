import type { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { unknownPath } from '../base/errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { errorResponse } from '../http/error-response.ts';
import { explainPath } from '../http/explain-path.ts';

/**
 * Makes an app answer unknown paths with a page if the client prefers HTML, with or without a
 * session. Other clients, and all paths below `apiBasePath`, get JSON, which names the nearest of
 * the `known` paths. Returns the same app.
 */
export function showUnknownPaths(
  app: Hono<AppEnv>,
  apiBasePath: string,
  known: readonly string[] = [],
): Hono<AppEnv> {
  return app.notFound(async (c) => {
    const isApi = c.req.path === apiBasePath || c.req.path.startsWith(`${apiBasePath}/`);
    const supports = ['application/json', 'text/html'];
    const type = accepts(c, { header: 'Accept', supports, default: 'application/json' });
    if (isApi || type !== 'text/html') {
      const hint = explainPath(c.req.path, apiBasePath, known, true);
      return errorResponse(unknownPath(hint), c);
    }
    const { showNotFoundPage } = await import('./error-pages.tsx');
    return showNotFoundPage(c);
  });
}
