import { eq } from 'drizzle-orm';
import { answered } from './answered.ts';
import type { App } from './apps.ts';
import type { Shard } from './open.ts';
import { apps } from './schema/directory.ts';
import { liveSession, managedStores, type SignedIn } from './sessions.ts';

/**
 * What a decision on a consent page is checked against, as it is now and not as an isolate believes: who is
 * signed in, the stores they may manage, and the app. One round trip.
 */
export async function findDecision(
  directory: Shard,
  { idHash, clientId, now }: { idHash: string; clientId: string; now: number },
): Promise<{ person: SignedIn | undefined; app: App | undefined }> {
  const [[session], stores, [app]] = await answered(
    directory.batch([
      liveSession(directory, idHash, now),
      managedStores(directory, idHash),
      directory.select().from(apps).where(eq(apps.client_id, clientId)),
    ]),
  );
  return { person: session && { ...session, stores }, app };
}
