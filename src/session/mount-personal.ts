import type { Context, Hono } from 'hono';
import type { Faces } from '../http/faces.ts';
import { methodNotAllowed, notFound } from '../problem.ts';
import { takingForm } from './signed-in-form.ts';
import { forSignedIn, type Here } from './signed-in.ts';

type Answer = Response | Promise<Response>;

/** A page of whoever is signed in, and what its form does. */
export interface PersonalPage {
  path: string;
  show: (c: Context<Faces>, here: Here) => Answer;
  take?: (c: Context<Faces>, here: Here, form: URLSearchParams) => Answer;
}

/** Mounts the pages below a path; any other address there is a 404 page, any other method a 405. */
export function mountPersonal(
  pages: Hono<Faces>,
  { root, operation }: { root: string; operation: string },
  all: readonly PersonalPage[],
): void {
  pages.use(`${root}/*`, async (c, next) => {
    c.set('operation', operation);
    await next();
  });
  for (const { path, show, take } of all) {
    pages.get(path, forSignedIn(show));
    if (take) pages.post(path, takingForm(take));
    pages.all(path, () => {
      throw methodNotAllowed(take ? 'GET, HEAD, POST' : 'GET, HEAD');
    });
  }
  pages.all(`${root}/*`, () => {
    throw notFound();
  });
}
