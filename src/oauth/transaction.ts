import { FormTicket } from '../session/form-ticket.ts';

/** What a consent page seals into its form: everything that is decided on, so that nothing else of it counts. */
export interface Transaction {
  /** 16 random bytes as base64url: the key of the grant, so that one page makes one grant at most. */
  grantId: string;
  storeId: number;
  /** Bits, as they were shown: an app that named none may have got more since. */
  scopes: number;
  /** The authorization request as it was sent, with its path. */
  request: string;
}

/** The ticket of the consent form. */
export const consentTicket = new FormTicket<Transaction>('consent');
