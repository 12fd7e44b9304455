import { FormTicket } from '../session/form-ticket.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** What a consent page seals into its form: everything that is decided on, so that nothing else of it counts. */
export interface Transaction extends Omit<AuthorizationRequest, 'app' | 'state'> {
  /** 16 random bytes as base64url: the key of the grant, so that one page makes one grant at most. */
  grantId: string;
  clientId: string;
  state?: string;
  storeId: number;
  /** The local path that shows the page anew. */
  to: string;
}

/** The ticket of the consent form. */
export const consentTicket = new FormTicket<Transaction>('consent');
