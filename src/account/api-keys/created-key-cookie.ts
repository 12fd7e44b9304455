import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { ShownOnce } from '../../session/forms/shown-once.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';

/** The two parts of an API key: `User-Token` and `User-Secret-Key`. */
export interface CreatedApiKey {
  token: string;
  secret: string;
}

const createdKey = new ShownOnce<CreatedApiKey>('made-key', 'created-api-key');

/** Keeps a new key for the page that shows it. */
export const stashApiKey = (c: Context<AppEnv>, context: PageContext, apiKey: CreatedApiKey) =>
  createdKey.stash(c, context, apiKey);

/** Reads the new key, once. Returns `undefined` when there is none. */
export const takeApiKey = (c: Context<AppEnv>, context: PageContext) => createdKey.take(c, context);
