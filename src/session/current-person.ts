import type { Context } from 'hono';
import { openShard } from '../db/open.ts';
import { findSession, touchSession, type SignedIn } from '../db/sessions.ts';
import type { Faces } from '../http/faces.ts';
import { lifetimes } from './lifetimes.ts';
import type { Visitor } from './visitor.ts';

/**
 * Who is signed in, with the stores they may manage; `undefined` for nobody. One round trip to the directory,
 * none for a browser that came without a cookie.
 */
export async function currentPerson(
  c: Context<Faces>,
  visitor: Visitor,
  now: number,
): Promise<SignedIn | undefined> {
  if (visitor.isNew) return undefined;
  const directory = openShard(c.env.DIRECTORY);
  const person = await findSession(directory, visitor.idHash, now);
  if (person) keepAlive(c, visitor, person, now);
  return person;
}

/** Moves the end of a session that is in use; a page view seldom writes, and never waits for it. */
export function keepAlive(
  c: Context<Faces>,
  visitor: Visitor,
  { startedAt, seenAt }: Pick<SignedIn, 'startedAt' | 'seenAt'>,
  now: number,
): void {
  if (now - seenAt < lifetimes.seenLag) return;
  const times = { now, expiresAt: endOf(startedAt, now) };
  c.executionCtx.waitUntil(touchSession(openShard(c.env.DIRECTORY), visitor.idHash, times));
}

/** When a session ends that was used just now. */
export const endOf = (startedAt: number, now: number) =>
  Math.min(startedAt + lifetimes.session, now + lifetimes.idle);
