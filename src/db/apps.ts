import { eq } from 'drizzle-orm';
import { lifetimes } from '../lifetimes.ts';
import { Believed } from './believed.ts';
import { answered } from './answered.ts';
import type { Shard } from './open.ts';
import { apps } from './schema/directory.ts';

/** A partner app as the directory knows it. */
export type App = typeof apps.$inferSelect;

const warm = new Believed<App | undefined>(lifetimes.believed, 5_000);

/**
 * The app of a client id, whatever its state. At most one round trip to the directory; an isolate believes
 * the answer for 30 seconds, so nothing that must hold at once may rest on it.
 */
export async function findApp(
  directory: Shard,
  clientId: string,
  now: number,
): Promise<App | undefined> {
  const kept = warm.get(clientId, now);
  if (kept) return kept.value;
  const [app] = await answered(directory.select().from(apps).where(eq(apps.client_id, clientId)));
  warm.set(clientId, app, now);
  return app;
}

/** Makes this isolate read the app again: to be called by whatever changes one. */
export const forgetApp = (clientId: string) => warm.delete(clientId);
