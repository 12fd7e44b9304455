import type { App } from '../db/apps.ts';
import type { ManagedStore, SignedIn } from '../db/sessions.ts';

/** The stores that somebody may connect an app to: all they manage; for a draft those of its owner alone. */
export const offeredStores = (app: App, { stores }: SignedIn): ManagedStore[] =>
  app.state === 'draft' ? stores.filter(({ ownerId }) => ownerId === app.owner_id) : stores;
