import { findApp, type App } from '../db/apps.ts';
import { openShard } from '../db/open.ts';
import { settingsOf } from '../settings.ts';
import { isPossibleClientId } from './client-id.ts';

/** The app of a client id; `undefined` for an invented id (without a look-up), an unknown or a disabled app. */
export async function knownApp(
  env: Env,
  clientId: string | undefined,
  now: number,
): Promise<App | undefined> {
  if (clientId === undefined || !(await isPossibleClientId(settingsOf(env), clientId))) {
    return undefined;
  }
  const app = await findApp(openShard(env.DIRECTORY), clientId, now);
  return app?.state === 'disabled' ? undefined : app;
}
