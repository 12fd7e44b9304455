import type { App } from '../../db/apps.ts';
import { isRegisteredUri } from '../redirect-uri.ts';

/** A2: the redirect URI is one of the app's (RFC 9700, section 4.1.3). */
export const redirectUriIsRegistered = (app: App, redirectUri: string) =>
  app.redirect_uris.some((registered) => isRegisteredUri(registered, redirectUri));
