import type { KeyRing } from '../../base/crypto/keys.ts';
import { minuteMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { addRefusal, type AppRefusal } from '../../data/directory/app-refusals.ts';
import { verifyAccessToken } from './access-token.ts';

/** The most that an isolate stores in a minute: of one app, and of all. The rest of a flood looks the same. */
const maxPerApp = 10;
const maxInAll = 100;

/** The refused requests that this isolate stored in a minute, by app. */
const stored = { minute: 0, inAll: 0, byApp: new Map<string, number>() };

/** Counts a refused request; false if the isolate has stored enough of this minute. */
function isSampled(clientId: string, now: number): boolean {
  const minute = Math.floor(now / minuteMs);
  if (minute !== stored.minute) {
    stored.minute = minute;
    stored.inAll = 0;
    stored.byApp.clear();
  }
  const ofApp = stored.byApp.get(clientId) ?? 0;
  if (ofApp >= maxPerApp || stored.inAll >= maxInAll) return false;
  stored.byApp.set(clientId, ofApp + 1);
  stored.inAll += 1;
  return true;
}

/**
 * Stores a refused request of an app for its partner, after the response: a sample, if there are many. The app is known by
 * an access token that we signed for it, expired or not; anything else names no app and is not stored. Never rejects.
 */
export async function recordRefusal(
  env: Env,
  tokenKeys: KeyRing,
  headers: Headers,
  refusal: AppRefusal,
): Promise<void> {
  const token = /^Bearer +(\S+)$/i.exec(headers.get('Authorization') ?? '')?.[1];
  if (token === undefined) return;
  try {
    // At time 0 no token has expired.
    const claims = await verifyAccessToken(tokenKeys, token, 0);
    if (!claims || !isSampled(claims.clientId, refusal.at)) return;
    await addRefusal(openDatabase(env.DIRECTORY), claims.clientId, refusal);
  } catch (error) {
    log('warn', 'refusal_not_stored', { reason: error instanceof Error ? error.name : '' });
  }
}
