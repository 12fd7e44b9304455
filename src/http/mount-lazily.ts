import type { Hono } from 'hono';
import type { Faces } from './faces.ts';

/** Leads requests for these addresses, and for all below them, to an app that the first of them in an isolate loads. */
export function mountLazily(
  app: Hono<Faces>,
  addresses: readonly string[],
  load: () => Promise<Hono<Faces>>,
) {
  let loaded: Hono<Faces> | undefined;
  for (const address of addresses) {
    app.all(`${address}/*`, async (c) => {
      // Kept is the app, not its promise: an isolate does not wait in one request for what another began.
      loaded ??= await load();
      return loaded.fetch(c.req.raw, c.env, c.executionCtx);
    });
  }
}
