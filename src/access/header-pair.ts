import { equalInConstantTime } from '../crypto/equal.ts';
import { sha256 } from '../crypto/sha256.ts';
import { Believed } from '../db/believed.ts';
import { findPair, type KnownPair } from '../db/directory.ts';
import { noteUse } from '../db/header-pairs.ts';
import type { Shard } from '../db/open.ts';
import { lifetimes } from '../lifetimes.ts';

/** How long a pair that was found good is believed: a revoked one works for at most this long. */
export const pairLifetimeMs = 30_000;

/** An isolate serves many stores; beyond this many warm pairs the oldest one goes. */
const capacity = 5_000;

const warm = new Believed<KnownPair>(pairLifetimeMs, capacity);

/**
 * Checks `User-Token` and `User-Secret-Key`. No round trip while the pair is warm for this alias in the
 * isolate, else one to the directory. `undefined` when the pair is wrong. What is kept in memory is keyed by
 * a digest, never by the pair itself. `defer` takes what may go on after the answer: about once an hour a cold
 * look-up notes that the pair is in use.
 */
export async function identifyPair(
  directory: Shard,
  pair: { token: string; secret: string },
  alias: string | undefined,
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<KnownPair | undefined> {
  const key = await sha256(JSON.stringify([pair.token, pair.secret, alias ?? '']));
  const kept = warm.get(key, now);
  if (kept) return kept.value;
  const [tokenHash, secretHash] = await Promise.all([sha256(pair.token), sha256(pair.secret)]);
  const found = await findPair(directory, tokenHash, alias);
  const isRight = await equalInConstantTime(found?.secretHash ?? '', secretHash);
  if (!found || !isRight) return undefined;
  warm.set(key, found, now);
  if (now - (found.lastUsedAt ?? 0) >= lifetimes.useLag) {
    defer(noteUse(directory, found.credentialId, now));
  }
  return found;
}

/** Makes this isolate look a pair up again: to be called by whatever revokes one. */
export const forgetPair = (credentialId: number) =>
  warm.forget((pair) => pair.credentialId === credentialId);
