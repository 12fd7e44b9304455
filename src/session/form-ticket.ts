import { deriveKey } from '../crypto/derive.ts';
import { seal, unseal } from '../crypto/seal.ts';
import type { Settings } from '../settings.ts';
import type { Visitor } from './visitor.ts';

/** The hidden field that carries a ticket. */
export const ticketField = 'ticket';

/** What is wrong with a ticket: nothing was sent, it is not ours, it is another browser's, or its time is over. */
export type TicketFault = 'missing' | 'forged' | 'foreign' | 'expired';

type Keys = Pick<Settings, 'tokenKeys'>;

interface Sealed<T> {
  /** Digest of the cookie of the browser that the form was made for. */
  for: string;
  until: number;
  data: T;
}

/**
 * The hidden field of a form: proves that we made it, for this browser and this purpose, and carries what must
 * not change on the way (`data`, JSON). Sealed, not stored: a form that nobody sends leaves nothing behind.
 * `until` is epoch milliseconds.
 */
export async function sealTicket<T>(
  { tokenKeys }: Keys,
  purpose: string,
  visitor: Pick<Visitor, 'idHash'>,
  { data, until }: { data: T; until: number },
): Promise<string> {
  const sealed: Sealed<T> = { for: visitor.idHash, until, data };
  return seal(await keyOf(tokenKeys.current), JSON.stringify(sealed), contextOf(purpose));
}

/**
 * Reverses `sealTicket`. The caller names the type of `data`: under one purpose only one type is sealed. An
 * expired ticket of the right browser still tells its data.
 */
export async function openTicket<T>(
  { tokenKeys }: Keys,
  purpose: string,
  visitor: Pick<Visitor, 'idHash'>,
  { ticket, now }: { ticket: string | null; now: number },
): Promise<{ data: T } | { fault: TicketFault; data?: T }> {
  if (!ticket) return { fault: 'missing' };
  const { current, previous } = tokenKeys;
  const plain =
    (await opened(current, ticket, purpose)) ??
    (previous === undefined ? undefined : await opened(previous, ticket, purpose));
  if (plain === undefined) return { fault: 'forged' };
  // What opens was sealed by `sealTicket` under this purpose.
  const { for: owner, until, data } = JSON.parse(plain) as Sealed<T>;
  if (owner !== visitor.idHash) return { fault: 'foreign' };
  return until > now ? { data } : { fault: 'expired', data };
}

async function opened(root: string, ticket: string, purpose: string): Promise<string | undefined> {
  try {
    return await unseal(await keyOf(root), ticket, contextOf(purpose));
  } catch {
    return undefined;
  }
}

const keyOf = (root: string) => deriveKey(root, 'form-ticket/v1', 'seal');

const contextOf = (purpose: string) => `form-ticket:${purpose}`;
