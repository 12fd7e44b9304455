import type { App } from '../../db/apps.ts';

/** A1: the app is there and not disabled; a draft works for the partner who owns it alone. */
export const clientMayAsk = (app: App | undefined, userId: number | undefined): app is App =>
  app !== undefined &&
  (app.state === 'published' || (app.state === 'draft' && app.owner_id === userId));
