import { deriveKey, rootsOf } from '../base/crypto/keys.ts';
import { seal, unseal } from '../base/crypto/seal.ts';
import { dayMs } from '../base/durations.ts';
import { unsubscribePath } from '../base/page-paths.ts';
import type { Settings } from '../base/settings.ts';
import { mutableKinds, optionalKinds, type MutableKind } from './kinds.ts';

/** How long the link of a mail switches its kind off. A mailbox may show it for months. */
export const unsubscribeMs = 180 * dayMs;

/** The body that a mailbox sends to such a link when its reader presses the button (RFC 8058). */
export const oneClick = 'List-Unsubscribe=One-Click';

const sealContext = 'unsubscribe';

const keyOf = (root: string) => deriveKey(root, 'unsubscribe/v1', 'seal');

/** The mails that a link switches off: one kind, of one user. */
export interface Unsubscription {
  userId: number;
  kind: MutableKind;
}

/**
 * Makes the link that switches a kind of mails off for a user, without a session (RFC 8058). It is
 * sealed, not stored, and can do nothing else. `undefined` for a mail that cannot be switched off.
 */
export async function makeUnsubscribeLink(
  { tokenKeys, linkOrigin }: Pick<Settings, 'tokenKeys' | 'linkOrigin'>,
  { user_id: userId, kind }: { user_id: number | null; kind: string },
  now: number,
): Promise<string | undefined> {
  if (userId === null || !mutableKinds.has(kind)) return undefined;
  const content = JSON.stringify([userId, kind, now + unsubscribeMs]);
  const token = await seal(await keyOf(tokenKeys.current), content, sealContext);
  return `${linkOrigin}${unsubscribePath}?token=${token}`;
}

/** Opens the token of such a link; `undefined` if it was changed, has expired or never was one. */
export async function openUnsubscribeToken(
  { tokenKeys }: Pick<Settings, 'tokenKeys'>,
  token: string,
  now: number,
): Promise<Unsubscription | undefined> {
  for (const root of rootsOf(tokenKeys)) {
    const text = await unseal(await keyOf(root), token, sealContext).catch(() => undefined);
    if (text === undefined) continue;
    // A text that opens was sealed above.
    const [userId, name, expiresAt] = JSON.parse(text) as [number, string, number];
    const kind = optionalKinds.find((optional) => optional === name);
    return kind && expiresAt > now ? { userId, kind } : undefined;
  }
  return undefined;
}
