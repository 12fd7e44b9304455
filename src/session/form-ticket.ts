import { deriveKey } from '../crypto/derive.ts';
import { seal, unseal } from '../crypto/seal.ts';
import type { Settings } from '../settings.ts';
import type { Visitor } from './visitor.ts';

/** The hidden field that carries a ticket. */
const ticketField = 'ticket';

/** What is wrong with a ticket: nothing was sent, it is not ours, it is another browser's, or its time is over. */
export type TicketFault = 'missing' | 'forged' | 'foreign' | 'expired';

type Keys = Pick<Settings, 'tokenKeys'>;

type Owner = Pick<Visitor, 'idHash'>;

interface Sealed<T> {
  /** Digest of the cookie of the browser that the form was made for. */
  for: string;
  until: number;
  data: T;
}

/**
 * The hidden field of one kind of form: proves that we made it, for this browser and this purpose, and carries
 * what must not change on the way (`T`, JSON). Sealed, not stored: a form that nobody sends leaves nothing behind.
 */
export class FormTicket<T> {
  readonly #context: string;

  /** `purpose` is the kind's own: what is sealed for one kind does not open for another. */
  constructor(purpose: string) {
    this.#context = `form-ticket:${purpose}`;
  }

  /** `until` is epoch milliseconds. */
  async seal({ tokenKeys }: Keys, owner: Owner, data: T, until: number): Promise<string> {
    const sealed: Sealed<T> = { for: owner.idHash, until, data };
    return seal(await keyOf(tokenKeys.current), JSON.stringify(sealed), this.#context);
  }

  /** Reads what was sent. An expired ticket of the right browser still tells its data. */
  async open(
    { tokenKeys: { current, previous } }: Keys,
    owner: Owner,
    form: URLSearchParams,
    now: number,
  ): Promise<{ data: T } | { fault: TicketFault; data?: T }> {
    const ticket = form.get(ticketField);
    if (!ticket) return { fault: 'missing' };
    const plain =
      (await this.#unsealed(current, ticket)) ??
      (previous === undefined ? undefined : await this.#unsealed(previous, ticket));
    if (plain === undefined) return { fault: 'forged' };
    // What opens was sealed by a ticket of this purpose.
    const { for: maker, until, data } = JSON.parse(plain) as Sealed<T>;
    if (maker !== owner.idHash) return { fault: 'foreign' };
    return until > now ? { data } : { fault: 'expired', data };
  }

  async #unsealed(root: string, ticket: string): Promise<string | undefined> {
    try {
      return await unseal(await keyOf(root), ticket, this.#context);
    } catch {
      return undefined;
    }
  }
}

const keyOf = (root: string) => deriveKey(root, 'form-ticket/v1', 'seal');
