import type { Context } from 'hono';
import type { AppEnv } from '../http/app-env.ts';

export type DocsContext = Context<AppEnv>;

/** Fetches a file of the built documentation (`dist/docs`); `undefined` if there is none. */
export async function fetchFile(c: DocsContext, path: string): Promise<Response | undefined> {
  // The host means nothing: only the path chooses a file.
  const response = await c.env.ASSETS.fetch(new URL(path, 'https://assets.invalid'));
  if (response.status === 200) return response;
  await response.body?.cancel();
  return undefined;
}
