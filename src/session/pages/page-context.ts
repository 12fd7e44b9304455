import type { ManagedStore, UserSession } from '../../db/directory/sessions.ts';
import type { BrowserIdentity } from '../browser-session.ts';

/** What a page of a signed-in user works with. */
export interface PageContext {
  browser: BrowserIdentity;
  session: UserSession;
  /** Epoch milliseconds. */
  now: number;
  /** The store of `:alias`; absent for pages without one. The user is a member, with the role that the page asks for. */
  store?: ManagedStore;
}

const contexts = new WeakMap<Request, PageContext>();

/** Remembers who is signed in, so that an error page of this request has their navigation. */
export const rememberContext = (request: Request, context: PageContext) =>
  contexts.set(request, context);

/** Returns who is signed in, if a page of this request has asked. */
export const recallContext = (request: Request): PageContext | undefined => contexts.get(request);
